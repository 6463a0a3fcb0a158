-- Commits attempts before the provider is called, of those that may be made: amount and destination as approved, and
-- the key, which is the attempt's id. A cancel, a hold and a second attempt all change `live_attempt_id` or `state`
-- of the payout's row, so its lock excludes them. The lock of the beneficiary's row keeps a suspension and a hit of the
-- screening from coming between the check and the commit. A replacement waits while the payout that it replaces may have been paid after
-- all. Rows are locked in the order of the beneficiaries, then of the payouts, so that no two commands wait for each
-- other.
CREATE OR REPLACE FUNCTION command.prepare_attempts(
  _tenant text,
  _attempts jsonb
) RETURNS SETOF public.disbursement_attempt
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  permitted text[];
  examined text[] := '{}';
  made jsonb := '[]';
  one record;
BEGIN
  -- Of several it fails soon where another transaction has a lock, and each is then done alone (gather.ts).
  PERFORM set_config('lock_timeout', '500ms', true) WHERE jsonb_array_length(_attempts) > 1;
  SELECT array_agg(b.id) INTO permitted
  FROM (
    SELECT DISTINCT g.beneficiary FROM jsonb_to_recordset(_attempts) AS g (beneficiary text)
    ORDER BY g.beneficiary OFFSET 0
  ) AS t
  CROSS JOIN LATERAL (
    SELECT b.id, b.compliance_status, b.screening FROM public.beneficiary b
    WHERE b.tenant_id = _tenant AND b.id = t.beneficiary FOR SHARE
  ) AS b
  WHERE b.compliance_status <> 'suspended' AND coalesce(b.screening, 'clear') = 'clear';
  FOR one IN
    SELECT t.payout, p.replaces_payout_id AS predecessor
    FROM (SELECT g.payout FROM jsonb_to_recordset(_attempts) AS g (payout text) OFFSET 0) AS t
    CROSS JOIN LATERAL (
      SELECT p.replaces_payout_id FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = t.payout OFFSET 0
    ) AS p
    WHERE p.replaces_payout_id IS NOT NULL
  LOOP
    IF ops.is_contradicted(_tenant, one.predecessor) THEN
      examined := examined || one.payout;
    END IF;
  END LOOP;
  FOR one IN
    UPDATE public.payout AS p SET live_attempt_id = t.attempt, provider = t.provider, updated_at = command.clock()
    FROM (
      SELECT _tenant AS tenant, g.*
      FROM jsonb_to_recordset(_attempts) AS g (
        payout text, attempt text, provider text, recipient text, window_ms double precision, beneficiary text
      )
      WHERE g.beneficiary = ANY (permitted) AND g.payout <> ALL (examined)
      ORDER BY g.payout OFFSET 0
    ) AS t
    WHERE p.tenant_id = _tenant AND t.tenant = _tenant AND p.id = t.payout AND p.state = 'approved'
      AND p.live_attempt_id IS NULL AND p.beneficiary_id = t.beneficiary
    RETURNING t.*, p.amount_minor, p.currency, p.bank_account_id, p.bank_account_version
  LOOP
    made := made || to_jsonb(one);
  END LOOP;
  RETURN QUERY
  INSERT INTO public.disbursement_attempt AS a (
    tenant_id, id, payout_id, number, provider, recipient_id, amount_minor, currency,
    bank_account_id, bank_account_version, status, key_expires_at, calls
  )
  SELECT _tenant, t.attempt, t.payout, e.earlier + 1, t.provider, t.recipient, t.amount_minor, t.currency,
    t.bank_account_id, t.bank_account_version, 'prepared', at + make_interval(secs => t.window_ms / 1000), 1
  FROM jsonb_to_recordset(made) AS t (
    attempt text, payout text, provider text, recipient text, window_ms double precision, amount_minor bigint,
    currency text, bank_account_id text, bank_account_version integer
  )
  CROSS JOIN LATERAL (
    SELECT count(*) AS earlier FROM public.disbursement_attempt o
    WHERE o.tenant_id = _tenant AND o.payout_id = t.payout
  ) AS e
  RETURNING a.*;
END
$$;
