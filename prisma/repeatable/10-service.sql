-- ── Functions that the service calls too, with its own rights. ──
-- They are replaced and never dropped, since statements that call them run during a migration. A change of
-- parameters or result makes a new function beside the old one, which the previous version still calls.

-- Whether a payout, or any payout in the chain that it replaces, may have been paid although its state says
-- otherwise: it has a contradiction that nobody has examined, or one found as 'paid_otherwise'. Each command
-- that could pay a replacement asks this function.
CREATE OR REPLACE FUNCTION ops.is_contradicted(tenant text, payout text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH RECURSIVE chain (id) AS (
    SELECT payout COLLATE "C"
    UNION
    SELECT p.replaces_payout_id FROM chain c JOIN public.payout p ON p.tenant_id = tenant AND p.id = c.id
    WHERE p.replaces_payout_id IS NOT NULL
  )
  SELECT EXISTS (
    SELECT 1 FROM chain c JOIN public.provider_contradiction d ON d.tenant_id = tenant AND d.payout_id = c.id
    WHERE d.finding IS DISTINCT FROM 'as_recorded'
  );
END;

-- Records the finding for a contradiction, for psql and for GraphQL (src/domain/operator). It locks the
-- attempt first, as the code that records a contradiction does, so that needs_operator stays set while
-- another contradiction is open. It also stays set while the outcome of the attempt is unknown. Returns
-- false if the contradiction was examined before.
CREATE OR REPLACE FUNCTION ops.note_finding(tenant text, contradiction uuid, finding text, action uuid) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  subject text;
BEGIN
  SELECT c.subject_id INTO subject FROM public.provider_contradiction c WHERE c.tenant_id = tenant AND c.id = contradiction;
  PERFORM FROM public.disbursement_attempt a WHERE a.tenant_id = tenant AND a.id = subject FOR NO KEY UPDATE;
  UPDATE public.provider_contradiction c SET finding = $3, examined_at = now(), action_id = action
  WHERE c.tenant_id = tenant AND c.id = contradiction AND c.finding IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE public.disbursement_attempt a SET needs_operator = false
  WHERE a.tenant_id = tenant AND a.id = subject AND a.status IN ('submitted', 'rejected') AND NOT EXISTS (
    SELECT 1 FROM public.provider_contradiction c
    WHERE c.tenant_id = tenant AND c.subject_id = subject AND c.finding IS NULL
  );
  RETURN true;
END
$$;

-- The resolution of a payout that still waits for the worker or for a second person, if there is one: a second one is refused, in
-- psql and over GraphQL (src/domain/operator/payout-order.ts). The lock is held until the transaction ends,
-- so that the second of two concurrent callers sees the order of the first.
CREATE OR REPLACE FUNCTION ops.waiting_resolution(payout text) RETURNS TABLE (who text, at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('resolve_payout ' || payout, 0));
  RETURN QUERY SELECT l.who, l.at::timestamptz FROM ops.action_log l
  WHERE l.subject_id = payout AND l.action = 'resolve_payout' AND l.outcome IS NULL
    AND (l.at > now() - interval '10 minutes'
      OR EXISTS (SELECT 1 FROM ops.order_confirmation o WHERE o.action_id = l.id AND o.answer IS NULL))
  ORDER BY l.id DESC LIMIT 1;
END
$$;

-- A worker sends a heartbeat every beat_ms (WORKER_HEARTBEAT_MS). After four times that without one the
-- other workers take it for dead (jobs/heartbeat.ts).
CREATE OR REPLACE FUNCTION ops.lives(worker public.worker_heartbeat) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
RETURN coalesce((worker).beat_at > now() - (worker).beat_ms * interval '4 milliseconds', false);

-- A pool without a heartbeat may belong to a worker that has just started: how long to wait before it counts
-- as dead, by the slowest heartbeat there is.
CREATE OR REPLACE FUNCTION ops.worker_silence() RETURNS interval
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN coalesce((SELECT max(w.beat_ms) FROM public.worker_heartbeat w), 5000) * interval '4 milliseconds';
END
$$;

-- How many payouts are stuck, by reason, of the oldest of each kind: for the metrics (src/process/metrics).
CREATE OR REPLACE FUNCTION ops.stuck_by_reason(older_than interval, at_most integer) RETURNS TABLE (reason text, payouts bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT s.reason, count(*) FROM ops.find_stuck_payouts(older_than, at_most) s GROUP BY s.reason;
END
$$;

-- The person behind a login role, an operator's key or a session, however the name is spaced, capitalised and composed
-- of characters: a key and a person who signs in have the person's name (`npm run operator-key -- --name ada`), so that
-- nobody confirms with a key, or in a browser, what they ordered in psql. The database's own collation may know the
-- capitals of ASCII alone.
CREATE OR REPLACE FUNCTION ops.person_of(who text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  name text := coalesce((SELECT k.name FROM public.operator_key k WHERE k.id = who),
    (SELECT u.name FROM public.operator_user u WHERE u.id = who), who);
BEGIN
  RETURN btrim(regexp_replace(casefold(normalize(name, NFKC) COLLATE pg_unicode_fast), '\s+', ' ', 'g'));
END
$$;

-- Whether people bring a file to its bank: where the connection has no other transport, and each file that somebody has
-- downloaded, whatever its connection has become since. It may be at the bank already, so no machine ever publishes it.
CREATE OR REPLACE FUNCTION ops.bank_batch_by_hand(transport text, downloaded_by text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN transport = 'manual' OR cardinality(downloaded_by) > 0;

-- Whether a statement should have shown a debit by now: there are at most four days without a bank day (Easter), and the
-- statement of the day before may come in the course of the next bank day.
CREATE OR REPLACE FUNCTION ops.debit_is_late(execution_date text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
RETURN execution_date < to_char(now() AT TIME ZONE 'UTC' - interval '5 days', 'YYYY-MM-DD');

-- Whether the bank has an attempt's payment in a file and has told nothing of its money in time. A person may then say
-- what became of it, since nobody can ask the bank by machine.
CREATE OR REPLACE FUNCTION ops.debit_is_missing(tenant text, attempt text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT EXISTS (
    SELECT 1 FROM public.bank_payment m
    JOIN public.bank_batch b ON b.tenant_id = m.tenant_id AND b.id = m.batch_id
    JOIN public.disbursement_attempt a ON a.tenant_id = m.tenant_id AND a.id = m.attempt_id
    JOIN public.payout p ON p.tenant_id = m.tenant_id AND p.id = m.payout_id
    WHERE m.tenant_id = tenant AND m.attempt_id = attempt AND a.status = 'submitted'
      AND p.state = 'approved' AND p.live_attempt_id = attempt AND ops.debit_is_late(b.execution_date)
  );
END;

-- What a person did with a file for a bank, or found out about it (src/domain/bank-batch/names.ts): `act` is download, upload,
-- sent or not_sent. Gives done; asked where a second person has to agree; own where somebody else has to do it; refused where
-- the batch is not in such a state; and nothing where there is none.
CREATE OR REPLACE FUNCTION ops.note_bank_batch(tenant text, batch text, act text, who text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  person text := ops.person_of(who);
  at timestamptz := now();
  way text;
  held record;
BEGIN
  -- Before the batch, in the order of a change of the connection, which comes wholly before or after.
  SELECT c.transport INTO way FROM public.bank_connection c
  WHERE c.tenant_id = tenant
    AND c.id = (SELECT b.connection_id FROM public.bank_batch b WHERE b.tenant_id = tenant AND b.id = batch)
  FOR SHARE OF c;
  SELECT b.status, b.downloaded_by, b.resend_asked_by, ops.bank_batch_by_hand(way, b.downloaded_by) AS by_hand INTO held
  FROM public.bank_batch b WHERE b.tenant_id = tenant AND b.id = batch FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  -- Where a worker had begun to send the file before people carried it, the bank may have it.
  IF act = 'download' AND held.by_hand
    AND (held.status = 'closed' OR (held.status = 'sending' AND cardinality(held.downloaded_by) > 0)) THEN
    UPDATE public.bank_batch b SET status = 'sending', sending_at = coalesce(b.sending_at, at), updated_at = at,
      needs_operator = true, downloaded_by = CASE WHEN person = ANY (b.downloaded_by) THEN b.downloaded_by ELSE b.downloaded_by || person END
    WHERE b.tenant_id = tenant AND b.id = batch;
    RETURN 'done';
  ELSIF act = 'upload' AND held.status = 'sending' AND cardinality(held.downloaded_by) > 0 THEN
    IF person = ANY (held.downloaded_by) THEN
      RETURN 'own';
    END IF;
    UPDATE public.bank_batch b SET status = 'sent', sent_at = at, uploaded_by = person, needs_operator = false, problem = NULL,
      updated_at = at
    WHERE b.tenant_id = tenant AND b.id = batch;
    RETURN 'done';
  ELSIF act = 'sent' AND held.status = 'unknown' THEN
    UPDATE public.bank_batch b SET status = 'sent', sent_at = at, needs_operator = false, problem = NULL, updated_at = at
    WHERE b.tenant_id = tenant AND b.id = batch;
    RETURN 'done';
  ELSIF act = 'not_sent' AND held.status = 'unknown' THEN
    IF held.resend_asked_by IS NULL OR held.resend_asked_by = person THEN
      UPDATE public.bank_batch b SET resend_asked_by = person, updated_at = at WHERE b.tenant_id = tenant AND b.id = batch;
      RETURN 'asked';
    END IF;
    UPDATE public.bank_batch b SET status = 'closed', resend_asked_by = NULL, needs_operator = held.by_hand, problem = NULL,
      updated_at = at
    WHERE b.tenant_id = tenant AND b.id = batch;
    RETURN 'done';
  END IF;
  RETURN 'refused';
END
$$;

-- Why ops.note_bank_batch refuses an act on a batch that exists, and what to do instead, for psql and for GraphQL.
CREATE OR REPLACE FUNCTION ops.bank_batch_refusal(tenant text, batch text, act text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT CASE
    WHEN act IN ('sent', 'not_sent') THEN 'An outcome can be given only for a batch that is unknown. This one is ' || b.status || '.'
    WHEN b.status = 'sent' THEN 'The bank has the file. Do not upload it again.'
    WHEN b.status = 'rejected' THEN 'The bank rejected the file. Do not upload it again.'
    WHEN b.status = 'unknown' THEN
      'The bank may have the file. Ask the bank, and give its answer with operatorBankBatchResolve or ops.resolve_bank_batch.'
    WHEN NOT ops.bank_batch_by_hand(c.transport, b.downloaded_by) THEN 'A worker brings the files of this connection to the bank.'
    WHEN b.status = 'closed' THEN 'Nobody has downloaded the file. Download it first with operatorBankBatchDownload.'
    ELSE 'A worker had begun to send the file before people carried it, so the bank may have it. Wait until the batch is unknown, and then ask the bank.'
  END
  FROM public.bank_batch b JOIN public.bank_connection c ON c.tenant_id = b.tenant_id AND c.id = b.connection_id
  WHERE b.tenant_id = tenant AND b.id = batch;
END;

-- What can be done about a file that is not at its bank, for a person; null where nobody has to do anything.
CREATE OR REPLACE FUNCTION ops.bank_batch_step(batch text, status text, by_hand boolean, asked_by text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN CASE
  WHEN by_hand AND status = 'closed' THEN 'Download it with operatorBankBatchDownload and upload it at the bank.'
  WHEN by_hand AND status = 'sending'
    THEN 'Once it is uploaded at the bank, a second person says so: ops.record_bank_upload(' || quote_literal(batch) || ', reason).'
  WHEN status = 'unknown' AND asked_by IS NOT NULL
    THEN asked_by || ' found that the bank has not got it. A second person who has asked the bank too agrees: ops.resolve_bank_batch('
      || quote_literal(batch) || ', ''not_sent'', evidence, reason).'
  WHEN status = 'unknown'
    THEN 'Ask the bank whether it has a file of this name and SHA-256, and then: ops.resolve_bank_batch('
      || quote_literal(batch) || ', ''sent'' or ''not_sent'', evidence, reason).'
END;

-- Lets a file of a bank be read once more, for psql and for GraphQL: one that cannot be read, of which nothing counts; or
-- one with a statement of an account that the connection did not have, of which all that counted before is found again
-- by its keys. What counted goes on counting until the new reading is applied. One that a second operator declined was
-- never read, and is not read by one person's word: it has no problem. Gives false where it is in another state, or there is none.
CREATE OR REPLACE FUNCTION ops.reopen_bank_file(tenant text, file text) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.bank_file f SET status = 'received', problem = NULL, problem_place = NULL, read_at = NULL, applied_at = NULL,
    counted_before = f.counted_before OR f.applied_at IS NOT NULL, explanation = NULL, action_id = NULL
  WHERE f.tenant_id = tenant AND f.id = file AND ((f.status IN ('unreadable', 'dismissed') AND f.problem IS NOT NULL) OR (
    f.status = 'read' AND f.applied_at IS NOT NULL AND EXISTS (
      SELECT 1 FROM public.bank_statement s WHERE s.tenant_id = tenant AND s.file_id = file AND NOT s.own
    )
  ));
  RETURN FOUND;
END
$$;

-- Lets the other files of a connection be read once more, too, that have statements in the currencies in which a file has
-- statements of other accounts, for psql and for GraphQL: they may be of the account that the connection has since. Gives
-- their ids.
CREATE OR REPLACE FUNCTION ops.reopen_bank_files_like(tenant text, file text) RETURNS SETOF text
LANGUAGE sql SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  UPDATE public.bank_file o SET status = 'received', read_at = NULL, applied_at = NULL, counted_before = true
  FROM public.bank_file f
  WHERE f.tenant_id = tenant AND f.id = file AND o.tenant_id = tenant AND o.id <> file AND o.status = 'read'
    AND o.applied_at IS NOT NULL AND o.id IN (
      SELECT other.file_id FROM public.bank_statement other JOIN public.bank_statement s
        ON s.tenant_id = tenant AND s.file_id = file AND NOT s.own
          AND (s.currency = other.currency OR s.currency IS NULL OR other.currency IS NULL)
      WHERE other.tenant_id = tenant AND other.connection_id = f.connection_id AND NOT other.own
    )
  RETURNING o.id;
END;

-- What operators read by GraphQL (src/domain/operator/lists.ts): pages of the views for psql, with the business.
-- `business` null: of all businesses.
CREATE OR REPLACE FUNCTION ops.stuck_payouts_page(business text, after_since timestamptz, after_payout text, take integer)
RETURNS TABLE (
  payout_id text, business_id text, company_name text, environment text, state text, since timestamptz, reason text,
  explanation text, next_step text, attempt_id text, provider text, last_error text, amount_minor bigint, currency text,
  taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT s.payout_id, t.business_id::text, t.company_name, s.environment, s.state, s.since, s.reason, s.explanation, s.next_step,
    s.attempt_id, s.provider, s.last_error, s.amount_minor, s.currency, s.taken_by
  FROM ops.find_stuck_payouts(at_most => 1000) s JOIN ops.tenants t ON t.tenant_id = s.tenant_id
  WHERE (business IS NULL OR t.business_id = business)
    AND (after_payout IS NULL OR (s.since, s.payout_id COLLATE "C") > (after_since, after_payout))
  ORDER BY s.since, s.payout_id COLLATE "C" LIMIT take;
END
$$;

CREATE OR REPLACE FUNCTION ops.open_contradictions_page(business text, before uuid, take integer)
RETURNS TABLE (
  contradiction_id uuid, noticed_at timestamptz, business_id text, company_name text, environment text, payout_id text,
  subject_id text, provider text, kind text, said text, expected text, source text, taken_by text,
  amount_minor bigint, currency text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT c.contradiction_id, c.noticed_at::timestamptz, t.business_id::text, t.company_name, c.environment, c.payout_id::text,
    c.subject_id::text, c.provider, c.kind, c.said, c.expected, c.source, c.taken_by, c.amount_minor, c.currency::text
  FROM ops.contradictions c JOIN ops.tenants t ON t.tenant_id = c.tenant_id
  WHERE c.finding IS NULL AND (business IS NULL OR t.business_id = business)
    AND (before IS NULL OR c.contradiction_id < before)
  ORDER BY c.contradiction_id DESC LIMIT take;
END
$$;

-- For the previous version; ops.bank_batches_read has more.
CREATE OR REPLACE FUNCTION ops.bank_batches_page(business text, before text, take integer)
RETURNS TABLE (
  batch_id text, business_id text, company_name text, environment text, connection_id text, scheme text, currency text,
  status text, file_name text, sha256 text, payment_count integer, control_sum_minor bigint, execution_date text,
  closed_at timestamptz, problem text, needs_operator boolean, next_step text, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT b.id::text, t.business_id::text, t.company_name, t.environment, b.connection_id::text, b.scheme::text, b.currency::text,
    b.status::text, b.file_name::text, b.sha256::text, b.payment_count, b.control_sum_minor, b.execution_date::text,
    b.closed_at::timestamptz, b.problem, b.needs_operator,
    ops.bank_batch_step(b.id, b.status, ops.bank_batch_by_hand(c.transport, b.downloaded_by), b.resend_asked_by), ops.taken_by(b.id)
  FROM public.bank_batch b
  JOIN ops.tenants t ON t.tenant_id = b.tenant_id
  JOIN public.bank_connection c ON c.tenant_id = b.tenant_id AND c.id = b.connection_id
  WHERE b.taken_at IS NULL AND b.status <> 'rejected'
    AND (business IS NULL OR t.business_id = business) AND (before IS NULL OR b.id < before)
  ORDER BY b.id DESC LIMIT take;
END
$$;

CREATE OR REPLACE FUNCTION ops.resolutions_page(business text, after uuid, take integer)
RETURNS TABLE (
  order_id uuid, ordered_at timestamptz, ordered_by text, business_id text, company_name text, environment text, payout_id text,
  outcome text, provider_payout_id text, evidence text, reason text, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT r.order_id, r.ordered_at::timestamptz, r.ordered_by, t.business_id::text, t.company_name, r.environment, r.payout_id,
    r.outcome, r.provider_payout_id, r.evidence, r.reason, r.taken_by
  FROM ops.resolutions_to_confirm r JOIN ops.tenants t ON t.tenant_id = r.tenant_id
  WHERE (business IS NULL OR t.business_id = business) AND (after IS NULL OR r.order_id > after)
  ORDER BY r.order_id LIMIT take;
END
$$;

-- Deletes what people were asked to sign and did not, a day after its time was over, up to `at_most` of them, and gives their
-- number. It runs with the rights of the owner, since the service can take away no signature.
CREATE OR REPLACE FUNCTION ops.forget_step_ups(at_most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  old record;
  gone integer := 0;
BEGIN
  FOR old IN
    SELECT s.tenant_id, s.id FROM public.step_up s
    WHERE s.answered_at IS NULL AND s.expires_at < now() - interval '1 day'
    ORDER BY s.expires_at LIMIT at_most
  LOOP
    DELETE FROM public.step_up_item i WHERE i.tenant_id = old.tenant_id AND i.step_up_id = old.id;
    DELETE FROM public.step_up s WHERE s.tenant_id = old.tenant_id AND s.id = old.id AND s.answered_at IS NULL;
    gone := gone + 1;
  END LOOP;
  RETURN gone;
END
$$;
