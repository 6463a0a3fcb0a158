-- ── Changes of settings, members and keys. ──

CREATE VIEW ops.access_changes AS
SELECT c.id, c.occurred_at::timestamptz AS at, c.business_id, b.company_name, c.environment, c.kind, c.subject_id,
  concat_ws(' ', c.actor ->> 'type',
    coalesce(c.actor ->> 'membership_id', c.actor ->> 'name', c.actor ->> 'login', c.actor ->> 'key_id',
      c.actor ->> 'operator_user_id')) AS by_whom,
  c.before, c.after
FROM public.access_change c JOIN public.business b ON b.id = c.business_id;
COMMENT ON VIEW ops.access_changes IS
  'Every change of a business''s settings, members and API keys, and who made it. Nobody can edit these lines.';

-- ── Payouts that wait for an approval which nobody can give. ──

CREATE VIEW ops.unapprovable_payouts AS
SELECT s.payout_id, s.tenant_id, t.business_id, b.company_name, t.environment, s.found_at::timestamptz AS found_at
FROM public.approval_stuck s
JOIN public.payout p ON p.tenant_id = s.tenant_id AND p.id = s.payout_id
JOIN public.tenant t ON t.id = s.tenant_id
JOIN public.business b ON b.id = t.business_id
WHERE p.state = 'pending_approval';
COMMENT ON VIEW ops.unapprovable_payouts IS
  'Payouts whose approval policy asks for people of whom too few are left, as the last run of watch_approvals found them. An owner changes the groups or has the payout judged anew, or it is canceled.';
