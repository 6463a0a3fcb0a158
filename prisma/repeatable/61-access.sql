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
