-- ── What operators read of the changes of settings, members and keys. ──

CREATE VIEW ops.access_changes AS
SELECT c.id, c.occurred_at::timestamptz AS at, c.business_id, b.company_name, c.environment, c.kind, c.subject_id,
  concat_ws(' ', c.actor ->> 'type',
    coalesce(c.actor ->> 'membership_id', c.actor ->> 'name', c.actor ->> 'login', c.actor ->> 'key_id')) AS by_whom,
  c.before, c.after
FROM public.access_change c JOIN public.business b ON b.id = c.business_id;
COMMENT ON VIEW ops.access_changes IS
  'Every change of a business''s settings, members and API keys, and who made it; nobody can edit it.';
GRANT SELECT ON ops.access_changes TO ops_read;

INSERT INTO ops.task (name, subject, subject_field, with_tenant, description, not_by_hand, priority) VALUES
  ('send_member_mail', 'member invitation', 'invitationId', true,
   'Sends the mail by which a member gets a key of their own.',
   'Use the GraphQL mutation memberInvitationSend, or operatorMemberInvitationSend.', 10);

-- The timeline of a payout names who submitted a decision, and whom it names where that is another. Its
-- text is taken as it is and changed in this one place.
DO $$
DECLARE
  known text := pg_get_functiondef('ops.timeline(text)'::regprocedure);
  code constant text := $c$(SELECT string_agg(r ->> 'code', ' ') FROM jsonb_array_elements(d.reasons) r)),$c$;
  changed text;
BEGIN
  changed := replace(known, 'ops.actor_text(d.evaluated_by)', 'coalesce(ops.actor_text(d.submitted_by), ops.actor_text(d.evaluated_by))');
  changed := replace(changed, code, $c$(SELECT string_agg(r ->> 'code', ' ') FROM jsonb_array_elements(d.reasons) r),
        CASE WHEN d.submitted_by <> d.evaluated_by THEN 'names ' || ops.actor_text(d.evaluated_by) END),$c$);
  IF changed NOT LIKE '%d.submitted_by)%' OR changed NOT LIKE '%d.submitted_by <>%' THEN
    RAISE EXCEPTION 'ops.timeline has another text than this migration expects';
  END IF;
  EXECUTE changed;
END
$$;
