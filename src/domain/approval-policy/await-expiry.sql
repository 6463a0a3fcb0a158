-- Part of other commands: has the steps of a payout looked at when the first of them can expire; nothing where none does.
CREATE OR REPLACE FUNCTION command.await_expiry(
  _tenant text,
  _payout text,
  _demands jsonb
) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  lasts integer;
  due timestamptz;
BEGIN
  SELECT min((d.value ->> 'expiresAfterHours')::integer) INTO lasts FROM jsonb_array_elements(_demands) d;
  IF lasts IS NULL THEN
    RETURN;
  END IF;
  due := now() + make_interval(hours => lasts);
  INSERT INTO public.approval_expiry (tenant_id, payout_id, due_at) VALUES (_tenant, _payout, due)
  ON CONFLICT (tenant_id, payout_id) DO UPDATE SET due_at = excluded.due_at;
END
$$;
