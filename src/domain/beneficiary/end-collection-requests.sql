-- Ends the live collection requests of beneficiaries that the transaction has locked, all or `_request` alone: as `_as`, or
-- as `expired` where their time is over. As `expired` it ends no other. Records the events on request.
CREATE OR REPLACE FUNCTION command.end_collection_requests(
  _tenant text,
  _beneficiaries text[],
  _request text, -- or NULL
  _as text
) RETURNS TABLE (beneficiary_id text, scope text, status text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  ended record;
  expired uuid[] := '{}';
BEGIN
  FOR ended IN
    UPDATE public.collection_request AS r SET
      status = CASE WHEN r.expires_at <= at THEN 'expired' ELSE _as END, closed_at = at, draft_ciphertext = NULL
    WHERE r.tenant_id = _tenant AND r.beneficiary_id = ANY (_beneficiaries) AND r.status = 'live'
      AND (_request IS NULL OR r.id = _request::uuid) AND (_as <> 'expired' OR r.expires_at <= at)
    RETURNING r.id, r.beneficiary_id, r.scope, r.status
  LOOP
    IF ended.status = 'expired' THEN
      expired := expired || ended.id;
    END IF;
    beneficiary_id := ended.beneficiary_id;
    scope := ended.scope;
    status := ended.status;
    RETURN NEXT;
  END LOOP;
  PERFORM command.tell_collection_requests(
    _tenant => _tenant, _requests => expired, _type => 'collection_request.expired'
  );
END
$$;
