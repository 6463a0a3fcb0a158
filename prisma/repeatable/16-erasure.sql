-- ── The erasure of payees. ──
-- The service calls ops.erase_payee and ops.clear_erased_payees. Both run with the rights of the owner of the tables,
-- since the service may neither delete a payee nor change a record of what happened, and so cannot do more than these do.
-- What is cleared and deleted is declared in src/domain/personal/holdings.ts (14-from-data.sql).

-- Why a payee cannot be erased yet: each reason with the number of things that it is about.
CREATE OR REPLACE FUNCTION ops.erasure_obstacles(_tenant text, _beneficiary text) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH own AS (
    SELECT p.id, p.state FROM public.payout p WHERE p.tenant_id = _tenant AND p.beneficiary_id = _beneficiary
  ),
  obstacle AS (
    SELECT 'payout_' || o.state AS code, count(*) AS n FROM own o
    WHERE command.is_unfinished(o.state) GROUP BY o.state
    UNION ALL
    SELECT 'attempt_unresolved', count(*) FROM public.disbursement_attempt a
    WHERE a.tenant_id = _tenant AND a.payout_id IN (SELECT o.id FROM own o)
      AND (a.needs_operator OR a.status IN ('prepared', 'unknown'))
    UNION ALL
    SELECT 'enrollment_pending', count(*) FROM public.enrollment e
    WHERE e.tenant_id = _tenant AND e.beneficiary_id = _beneficiary AND e.status = 'pending'
    UNION ALL
    SELECT 'contradiction_unexamined', count(*) FROM public.provider_contradiction c
    WHERE c.tenant_id = _tenant AND c.finding IS NULL AND (
      c.payout_id IN (SELECT o.id FROM own o)
      OR c.subject_id IN (
        SELECT e.id FROM public.enrollment e WHERE e.tenant_id = _tenant AND e.beneficiary_id = _beneficiary
      )
    )
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('code', o.code, 'count', o.n) ORDER BY o.code), '[]')
  FROM obstacle o WHERE o.n > 0;
END;

-- Erases a payee, or deletes one for whom no payout was ever created, and records it. It answers with one row:
-- the record, which a repetition finds again; what is in the way; or neither, for an unknown payee. Enrollments
-- are locked before the payee, as by whoever applies what a provider says of a recipient. New payouts,
-- enrollments, accounts and forms lock the payee: they come first and are seen here, or find nobody.
CREATE OR REPLACE FUNCTION ops.erase_payee(_tenant text, _beneficiary text, _actor jsonb, _ground text)
RETURNS TABLE (obstacles jsonb, kind text, ground text, actor jsonb, occurred_at timestamptz, restarts text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  payee record;
  at timestamptz := clock_timestamp();
  erasure text;
BEGIN
  obstacles := '[]';
  restarts := '{}';
  PERFORM FROM public.enrollment e WHERE e.tenant_id = _tenant AND e.beneficiary_id = _beneficiary
  ORDER BY e.id FOR UPDATE;
  SELECT b.id, b.erased_at, b.archived_at, b.compliance_status INTO payee FROM public.beneficiary b
  WHERE b.tenant_id = _tenant AND b.id = _beneficiary FOR UPDATE;
  IF payee.id IS NOT NULL AND payee.erased_at IS NULL THEN
    obstacles := ops.erasure_obstacles(_tenant, _beneficiary);
    IF obstacles <> '[]' THEN
      RETURN NEXT;
      RETURN;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM public.payout p WHERE p.tenant_id = _tenant AND p.beneficiary_id = _beneficiary) THEN
      erasure := 'deleted';
      IF payee.archived_at IS NULL THEN
        PERFORM command.tell_beneficiaries(
          _tenant => _tenant, _beneficiaries => ARRAY[_beneficiary], _kind => 'archived', _fields => '{}'
        );
      END IF;
      PERFORM ops.clear_payee(_tenant, _beneficiary);
      PERFORM ops.delete_payee(_tenant, _beneficiary);
      -- Files of the address book show the name. Those that are written are made again without it.
      DELETE FROM public.export_chunk c USING public.export x
      WHERE c.tenant_id = _tenant AND x.tenant_id = _tenant AND x.id = c.export_id AND x.kind = 'beneficiaries';
      UPDATE public.export x SET status = 'expired', expires_at = at
      WHERE x.tenant_id = _tenant AND x.kind = 'beneficiaries' AND x.status = 'completed';
      WITH again AS (
        UPDATE public.export x SET status = 'pending'
        WHERE x.tenant_id = _tenant AND x.kind = 'beneficiaries' AND x.status = 'running' RETURNING x.id
      )
      SELECT coalesce(array_agg(a.id), '{}') INTO restarts FROM again a;
    ELSE
      erasure := 'erased';
      -- Behind the locks, as every change that a poller reads.
      at := clock_timestamp();
      UPDATE public.collection_request r SET status = 'canceled', closed_at = at, draft_ciphertext = NULL
      WHERE r.tenant_id = _tenant AND r.beneficiary_id = _beneficiary AND r.status = 'live';
      UPDATE public.beneficiary b SET archived_at = coalesce(b.archived_at, at), erased_at = at, updated_at = at,
        collection_status = CASE WHEN b.details_submitted_at IS NULL THEN 'not_invited' ELSE 'details_submitted' END,
        transition_count = b.transition_count + 1, revision = b.revision + 1
      WHERE b.tenant_id = _tenant AND b.id = _beneficiary;
      INSERT INTO public.beneficiary_transition (tenant_id, beneficiary_id, seq, kind, from_status, to_status, actor)
      SELECT b.tenant_id, b.id, b.transition_count, 'erased', b.compliance_status, 'erased', _actor
      FROM public.beneficiary b WHERE b.tenant_id = _tenant AND b.id = _beneficiary;
      IF payee.archived_at IS NULL THEN
        PERFORM command.tell_beneficiaries(
          _tenant => _tenant, _beneficiaries => ARRAY[_beneficiary], _kind => 'archived', _fields => '{}'
        );
      END IF;
      PERFORM ops.clear_payee(_tenant, _beneficiary);
    END IF;
    INSERT INTO public.personal_data_record (tenant_id, beneficiary_id, kind, ground, actor)
    VALUES (_tenant, _beneficiary, erasure, _ground, _actor);
  END IF;
  SELECT r.kind, r.ground, r.actor, r.occurred_at INTO kind, ground, actor, occurred_at
  FROM public.personal_data_record r
  WHERE r.tenant_id = _tenant AND r.beneficiary_id = _beneficiary AND r.kind <> 'exported';
  RETURN NEXT;
END
$$;

-- Clears what has been written about erased payees since: a payment is returned after months, and a provider
-- says why in its own words, or a webhook is delivered again. It looks at the payees that follow the given one,
-- at most `take` of them, and returns the last of those; no row after the end. What a transaction that began before the erasure writes after
-- it has an earlier time, hence the five minutes: no transaction of the service lasts as long.
CREATE OR REPLACE FUNCTION ops.clear_erased_payees(after_tenant text, after_beneficiary text, take integer)
RETURNS TABLE (tenant text, beneficiary text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  payee record;
  subjects text[];
  since timestamptz;
  changed boolean;
BEGIN
  FOR payee IN
    SELECT b.tenant_id, b.id, b.erased_at, b.updated_at FROM public.beneficiary b
    WHERE b.erased_at IS NOT NULL AND (b.tenant_id, b.id) > (after_tenant, after_beneficiary)
    ORDER BY b.tenant_id, b.id LIMIT take
  LOOP
    since := payee.erased_at - interval '5 minutes';
    SELECT payee.updated_at > payee.erased_at
      OR EXISTS (
        SELECT 1 FROM public.payout p
        WHERE p.tenant_id = payee.tenant_id AND p.beneficiary_id = payee.id AND p.updated_at > since
          AND (p.failure_message IS NOT NULL OR EXISTS (
            SELECT 1 FROM public.payout_transition t
            WHERE t.tenant_id = payee.tenant_id AND t.payout_id = p.id AND t.reason IS NOT NULL
          ) OR EXISTS (
            SELECT 1 FROM public.disbursement_attempt a
            WHERE a.tenant_id = payee.tenant_id AND a.payout_id = p.id AND a.failure_message IS NOT NULL
          ))
      )
      OR EXISTS (
        SELECT 1 FROM public.payout p
        JOIN public.event e ON e.tenant_id = p.tenant_id AND e.payout_id = p.id
        JOIN public.webhook_delivery d ON d.tenant_id = e.tenant_id AND d.event_id = e.id
        JOIN public.webhook_delivery_attempt w ON w.tenant_id = d.tenant_id AND w.delivery_id = d.id
        WHERE p.tenant_id = payee.tenant_id AND p.beneficiary_id = payee.id
          AND (w.answer IS NOT NULL OR w.error IS NOT NULL)
      )
      OR EXISTS (
        SELECT 1 FROM public.event e
        JOIN public.webhook_delivery d ON d.tenant_id = e.tenant_id AND d.event_id = e.id
        JOIN public.webhook_delivery_attempt w ON w.tenant_id = d.tenant_id AND w.delivery_id = d.id
        WHERE e.tenant_id = payee.tenant_id AND e.subject_id = payee.id
          AND (w.answer IS NOT NULL OR w.error IS NOT NULL)
      )
      OR EXISTS (
        SELECT 1 FROM public.enrollment e
        WHERE e.tenant_id = payee.tenant_id AND e.beneficiary_id = payee.id AND e.failure_message IS NOT NULL
      )
    INTO changed;
    -- On Citus the events of providers are on another node than the tenant's rows, so no statement reads both.
    subjects := ARRAY(
      SELECT a.id FROM public.payout p
      JOIN public.disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id
      WHERE p.tenant_id = payee.tenant_id AND p.beneficiary_id = payee.id
      UNION ALL
      SELECT e.id FROM public.enrollment e WHERE e.tenant_id = payee.tenant_id AND e.beneficiary_id = payee.id
    );
    changed := changed OR EXISTS (
      SELECT 1 FROM public.provider_event v
      WHERE v.tenant_id = payee.tenant_id AND v.subject_id = ANY (subjects) AND v.received_at > since
    ) OR EXISTS (
      -- One that was given up has no tenant and no subject, only what its reference says.
      SELECT 1 FROM public.provider_event v
      WHERE v.status = 'unmatched' AND v.received_at > since
        AND v.event ->> 'reference' = ANY (SELECT payee.tenant_id || '.' || s FROM unnest(subjects) s)
    );
    IF changed THEN
      PERFORM ops.clear_payee(payee.tenant_id, payee.id);
    END IF;
    tenant := payee.tenant_id;
    beneficiary := payee.id;
  END LOOP;
  IF tenant IS NOT NULL THEN
    RETURN NEXT;
  END IF;
END
$$;
