-- ── The erasure of a payee, which the worker carries out (src/domain/operator/carry-out-erasure.ts). ──

CREATE FUNCTION ops.erase_beneficiary(beneficiary text, ground text, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  why text := ops.checked_reason(reason);
  place record;
  order_id uuid;
BEGIN
  IF $2 IS NULL OR $2 NOT IN ('payee_request', 'no_longer_needed', 'entered_in_error', 'legal_obligation') THEN
    RAISE EXCEPTION 'There is no ground %.', coalesce(quote_literal($2), 'without a name')
      USING ERRCODE = 'invalid_parameter_value',
        HINT = 'Grounds: payee_request, no_longer_needed, entered_in_error, legal_obligation.';
  END IF;
  place := ops.required('beneficiary', beneficiary, 'The id of a beneficiary begins with ben_; ops.find(id) tells what another id is.');
  order_id := ops.record('erase_beneficiary', place.tenant_id, beneficiary, why, jsonb_build_object('ground', $2), 1);
  PERFORM ops.add_job(ops.known_task('erase_beneficiary'), place.tenant_id, beneficiary, NULL,
    jsonb_build_object('actionId', order_id), now());
  RETURN order_id;
END
$$;
COMMENT ON FUNCTION ops.erase_beneficiary(text, text, text) IS
  'Has the worker erase the personal data of a payee for good; the reason must not name the payee. Returns the id of a line of ops.action_log; its outcome is deleted, erased, or what is in the way.';

CREATE VIEW ops.personal_data_records AS
SELECT r.occurred_at::timestamptz AS at, r.tenant_id, r.beneficiary_id, r.kind, r.ground,
  concat_ws(' ', r.actor ->> 'type', coalesce(r.actor ->> 'membership_id', r.actor ->> 'login', r.actor ->> 'key_id', r.actor ->> 'operator_user_id')) AS by_whom
FROM public.personal_data_record r;
COMMENT ON VIEW ops.personal_data_records IS 'Who took or erased the personal data of a payee, when, and on which ground.';
