-- Uses a live request up that the transaction has locked, and records the event on request. No row when it is not live.
CREATE OR REPLACE FUNCTION command.close_collection_request(
  _tenant text,
  _request text
) RETURNS TABLE (adds_job boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
BEGIN
  UPDATE public.collection_request AS r SET status = 'submitted', closed_at = now(), draft_ciphertext = NULL
  WHERE r.tenant_id = _tenant AND r.id = _request::uuid AND r.status = 'live';
  IF FOUND THEN
    adds_job := command.tell_collection_requests(
      _tenant => _tenant, _requests => ARRAY[_request::uuid], _type => 'collection_request.submitted'
    );
    RETURN NEXT;
  END IF;
END
$$;
