-- ── Resolutions that a second person has to confirm (setting RESOLUTION_CONFIRMATION). ──

CREATE VIEW ops.resolutions_to_confirm AS
SELECT l.id AS order_id, l.at AS ordered_at, l.who AS ordered_by, l.tenant_id, t.environment, l.subject_id AS payout_id,
  l.detail ->> 'outcome' AS outcome, l.detail ->> 'provider_payout_id' AS provider_payout_id,
  l.detail ->> 'evidence' AS evidence, l.reason, ops.taken_by(l.subject_id) AS taken_by
FROM ops.order_confirmation o
JOIN ops.action_log l ON l.id = o.action_id
LEFT JOIN public.tenant t ON t.id = l.tenant_id
WHERE o.answer IS NULL AND l.outcome IS NULL
ORDER BY o.asked_at;
COMMENT ON VIEW ops.resolutions_to_confirm IS
  'Resolutions that wait for a second person: ops.confirm_resolution or ops.decline_resolution.';
