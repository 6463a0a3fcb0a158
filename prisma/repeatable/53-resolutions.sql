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

-- ── Changes that a second person has to confirm (setting OPERATOR_CONFIRMATION, and the webhooks of a business). ──

CREATE VIEW ops.proposed_changes AS
SELECT c.id AS change_id, c.kind, CASE WHEN c.status = 'waiting' AND c.expires_at <= now() THEN 'expired' ELSE c.status END AS status,
  c.proposed_at::timestamptz AS proposed_at, c.proposed_by, c.expires_at::timestamptz AS expires_at, c.tenant_id, t.environment,
  c.subject_id, c.shown -> 'before' AS before, c.shown -> 'after' AS after, encode(c.digest, 'hex') AS digest, c.reason, c.problem,
  c.answered_at::timestamptz AS answered_at, c.answered_by
FROM public.proposed_change c
LEFT JOIN public.tenant t ON t.id = c.tenant_id;
COMMENT ON VIEW ops.proposed_changes IS
  'Every change that had to wait for a second person, and what became of it.';

CREATE VIEW ops.changes_to_confirm AS
SELECT p.change_id, p.kind, p.proposed_at, p.proposed_by, p.expires_at, p.tenant_id, p.environment, p.subject_id, p.before, p.after,
  p.digest, p.reason
FROM ops.proposed_changes p
WHERE p.status = 'waiting' AND p.kind NOT IN ('webhook_address', 'approval_policy', 'approval_group', 'approval_role')
ORDER BY p.proposed_at;
COMMENT ON VIEW ops.changes_to_confirm IS
  'Changes of operators that wait for a second one: operatorChangeAnswer confirms, and ops.decline_change ends one.';
