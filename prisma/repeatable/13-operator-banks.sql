-- ── What operators read over GraphQL of banks (src/domain/operator). ──
-- The same rows as in the views for psql, a page at a time and with the business. They are of all tenants, so they run
-- with the rights of the owner. They are replaced and never dropped: see 10-service.sql.

-- The connections that are not closed: whether their files can be fetched and made, and what waits for the next one.
CREATE OR REPLACE FUNCTION ops.bank_connections_page(business text, before text, take integer) RETURNS TABLE (
  connection_id text, business_id text, company_name text, environment text, name text, status text, transport text,
  account_currency text, account_last4 text, has_credentials boolean, cut_off_time text, time_zone text, calendar text,
  lead_bank_days integer, fetched_at timestamptz, fetch_problem text, fetch_problem_since timestamptz, waiting bigint,
  oldest_waiting timestamptz, file_problem text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT c.id::text, t.business_id::text, t.company_name, t.environment, c.name::text, c.status::text, c.transport::text,
    c.account_currency::text, c.account_last4::text, c.credentials_ciphertext IS NOT NULL, c.cut_off_time::text,
    c.time_zone::text, c.calendar::text, c.lead_bank_days, f.fetched_at::timestamptz, f.problem::text,
    f.problem_since::timestamptz, w.waiting, w.oldest, s.problem::text
  FROM public.bank_connection c
  JOIN ops.tenants t ON t.tenant_id = c.tenant_id
  LEFT JOIN public.bank_fetch f ON f.tenant_id = c.tenant_id AND f.connection_id = c.id
  LEFT JOIN public.bank_sequence s ON s.tenant_id = c.tenant_id AND s.connection_id = c.id
  CROSS JOIN LATERAL (
    SELECT count(*) AS waiting, min(x.since)::timestamptz AS oldest
    FROM public.bank_waiting x JOIN public.payout p ON p.tenant_id = x.tenant_id AND p.id = x.payout_id
    WHERE x.tenant_id = c.tenant_id AND x.connection_id = c.id AND p.state = 'approved' AND p.live_attempt_id IS NULL
  ) w
  WHERE c.status <> 'closed' AND c.transport <> 'api' AND (business IS NULL OR t.business_id = business) AND (before IS NULL OR c.id < before)
  ORDER BY c.id DESC LIMIT take;
END
$$;

-- One file for a bank, or without its id those that are not certainly there: first the ones that a person has to see to.
-- `who` reads them, and learns whether the four eyes that some steps need may be theirs.
CREATE OR REPLACE FUNCTION ops.bank_batches_read(
  batch text, who text, business text, before_needs boolean, before_id text, take integer
)
RETURNS TABLE (
  batch_id text, business_id text, company_name text, environment text, connection_id text, connection text, scheme text,
  currency text, status text, file_name text, sha256 text, size_bytes integer, message_id text, payment_count integer,
  control_sum_minor bigint, execution_date text, closed_by text, closed_at timestamptz, sending_at timestamptz,
  sent_at timestamptz, taken_at timestamptz, problem text, needs_operator boolean, next_step text, by_hand boolean,
  downloaded_by text[], downloaded_by_you boolean, uploaded_by text, resend_asked_by text, resend_asked_by_you boolean,
  taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
  person text := ops.person_of(who);
  place text;
BEGIN
  IF batch IS NOT NULL THEN
    SELECT l.tenant_id INTO place FROM ops.locate(batch) l WHERE l.kind = 'bank batch';
  END IF;
  RETURN QUERY
  SELECT b.id::text, t.business_id::text, t.company_name, t.environment, b.connection_id::text, c.name::text, b.scheme::text,
    b.currency::text, b.status::text, b.file_name::text, b.sha256::text, b.size_bytes, b.message_id::text, b.payment_count,
    b.control_sum_minor, b.execution_date::text, b.closed_by::text, b.closed_at::timestamptz, b.sending_at::timestamptz,
    b.sent_at::timestamptz, b.taken_at::timestamptz, b.problem::text, b.needs_operator,
    ops.bank_batch_step(b.id, b.status, h.by_hand, b.resend_asked_by), h.by_hand, b.downloaded_by::text[],
    person = ANY (b.downloaded_by), b.uploaded_by::text, b.resend_asked_by::text,
    coalesce(b.resend_asked_by = person, false), ops.taken_line(k.who, k.at, k.note)
  FROM public.bank_batch b
  JOIN ops.tenants t ON t.tenant_id = b.tenant_id
  JOIN public.bank_connection c ON c.tenant_id = b.tenant_id AND c.id = b.connection_id
  CROSS JOIN LATERAL (SELECT ops.bank_batch_by_hand(c.transport, b.downloaded_by) AS by_hand) h
  LEFT JOIN ops.taken k ON k.subject_id = b.id
  WHERE ((batch IS NOT NULL AND b.tenant_id = place AND b.id = batch)
      OR (batch IS NULL AND b.taken_at IS NULL AND b.status <> 'rejected'))
    AND (business IS NULL OR t.business_id = business)
    AND (before_id IS NULL OR (b.needs_operator, b.id) < (before_needs, before_id COLLATE "C"))
  ORDER BY b.needs_operator DESC, b.id DESC LIMIT take;
END
$$;

-- Movements at banks that match nothing, newest first, with the payment that each names.
CREATE OR REPLACE FUNCTION ops.bank_lines_page(business text, before text, take integer) RETURNS TABLE (
  line_id text, business_id text, company_name text, environment text, connection_id text, connection text, file_id text,
  direction text, amount_minor bigint, currency text, booked_on text, doubt text, matchable boolean, bank_reference text,
  bank_code text, end_to_end_id text, trace_number text, return_code text, named_payout text, sent_minor bigint,
  sent_currency text, created_at timestamptz, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT l.line_id::text, t.business_id::text, t.company_name, t.environment, l.connection_id::text, c.name::text,
    l.file_id::text, l.direction::text, l.amount_minor, l.currency::text, l.booked_on::text, l.doubt::text, l.matchable,
    l.bank_reference::text, l.bank_code::text, l.end_to_end_id::text, l.trace_number::text, l.return_code::text,
    l.named_payout::text, a.amount_minor, a.currency::text, l.created_at::timestamptz,
    ops.taken_line(k.who, k.at, k.note)
  FROM ops.bank_unmatched_lines l
  JOIN ops.tenants t ON t.tenant_id = l.tenant_id
  JOIN public.bank_connection c ON c.tenant_id = l.tenant_id AND c.id = l.connection_id
  LEFT JOIN public.disbursement_attempt a ON a.tenant_id = l.tenant_id AND a.id = l.named_attempt
  LEFT JOIN ops.taken k ON k.subject_id = l.line_id
  WHERE (business IS NULL OR t.business_id = business) AND (before IS NULL OR l.line_id < before)
  ORDER BY l.line_id DESC LIMIT take;
END
$$;

-- Answers of banks that name nothing of their connection, newest first.
CREATE OR REPLACE FUNCTION ops.bank_stray_answers_page(business text, before text, take integer) RETURNS TABLE (
  answer_id text, business_id text, company_name text, environment text, connection_id text, connection text, file_id text,
  file_name text, line integer, kind text, said text, original_message_id text, original_batch_id text, end_to_end_id text,
  instruction_id text, trace_number text, amount_minor bigint, currency text, created_at timestamptz, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT s.answer_id::text, t.business_id::text, t.company_name, t.environment, s.connection_id::text, c.name::text,
    s.file_id::text, f.name::text, s.line, s.kind::text, s.said::text, s.original_message_id::text,
    s.original_batch_id::text, s.end_to_end_id::text, s.instruction_id::text, s.trace_number::text, s.amount_minor,
    s.currency::text, s.created_at::timestamptz, ops.taken_line(k.who, k.at, k.note)
  FROM ops.bank_stray_answers s
  JOIN ops.tenants t ON t.tenant_id = s.tenant_id
  JOIN public.bank_connection c ON c.tenant_id = s.tenant_id AND c.id = s.connection_id
  JOIN public.bank_file f ON f.tenant_id = s.tenant_id AND f.id = s.file_id
  LEFT JOIN ops.taken k ON k.subject_id = s.answer_id
  WHERE (business IS NULL OR t.business_id = business) AND (before IS NULL OR s.answer_id < before)
  ORDER BY s.answer_id DESC LIMIT take;
END
$$;

-- Payouts whose debit no statement has shown in time, newest first. `resolvable` says whether an outcome is open that a
-- person can give; without one only what the bank says moves the payout.
CREATE OR REPLACE FUNCTION ops.bank_missing_debits_page(business text, before text, take integer) RETURNS TABLE (
  payout_id text, business_id text, company_name text, environment text, connection_id text, connection text, batch_id text,
  attempt_id text, amount_minor bigint, currency text, execution_date text, end_to_end_id text, trace_number text,
  resolvable boolean, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT d.payout_id::text, t.business_id::text, t.company_name, t.environment, d.connection_id::text, c.name::text,
    d.batch_id::text, d.attempt_id::text, d.amount_minor, d.currency::text, d.execution_date::text, d.end_to_end_id::text,
    d.trace_number::text, a.status IN ('unknown', 'submitted') OR a.needs_operator,
    ops.taken_line(k.who, k.at, k.note)
  FROM ops.bank_missing_debits d
  JOIN ops.tenants t ON t.tenant_id = d.tenant_id
  JOIN public.bank_connection c ON c.tenant_id = d.tenant_id AND c.id = d.connection_id
  JOIN public.disbursement_attempt a ON a.tenant_id = d.tenant_id AND a.id = d.attempt_id
  LEFT JOIN ops.taken k ON k.subject_id = d.payout_id
  WHERE (business IS NULL OR t.business_id = business) AND (before IS NULL OR d.payout_id < before)
  ORDER BY d.payout_id DESC LIMIT take;
END
$$;

-- Files of banks that cannot be read, newest first.
CREATE OR REPLACE FUNCTION ops.bank_unreadable_files_page(business text, before text, take integer) RETURNS TABLE (
  file_id text, business_id text, company_name text, environment text, connection_id text, connection text, name text,
  format text, size_bytes bigint, sha256 text, problem text, problem_place text, received_at timestamptz, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT f.id::text, t.business_id::text, t.company_name, t.environment, f.connection_id::text, c.name::text, f.name::text,
    f.format::text, f.size_bytes, f.sha256::text, f.problem::text, f.problem_place::text, f.received_at::timestamptz,
    ops.taken_line(k.who, k.at, k.note)
  FROM public.bank_file f
  JOIN ops.tenants t ON t.tenant_id = f.tenant_id
  JOIN public.bank_connection c ON c.tenant_id = f.tenant_id AND c.id = f.connection_id
  LEFT JOIN ops.taken k ON k.subject_id = f.id
  WHERE f.status = 'unreadable' AND (business IS NULL OR t.business_id = business) AND (before IS NULL OR f.id < before)
  ORDER BY f.id DESC LIMIT take;
END
$$;

-- The payments of a file for a bank behind a place in it, with what became of each: its payout's state, when the bank
-- said that it has it, and the day on which a statement shows its debit and its return.
CREATE OR REPLACE FUNCTION ops.bank_payments_page(batch text, after integer, take integer) RETURNS TABLE (
  "position" integer, payout_id text, attempt_id text, end_to_end_id text, trace_number text, amount_minor bigint,
  currency text, state text, failure_code text, failure_message text, acknowledged_at timestamptz, debited_on text,
  returned_on text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
  place text;
BEGIN
  SELECT l.tenant_id INTO place FROM ops.locate(batch) l WHERE l.kind = 'bank batch';
  RETURN QUERY
  SELECT m.position, m.payout_id::text, m.attempt_id::text, m.end_to_end_id::text, m.trace_number::text, a.amount_minor,
    a.currency::text, p.state::text, a.failure_code::text, a.failure_message::text, a.acknowledged_at::timestamptz,
    d.booked_on::text, r.booked_on::text
  FROM public.bank_payment m
  JOIN public.disbursement_attempt a ON a.tenant_id = m.tenant_id AND a.id = m.attempt_id
  JOIN public.payout p ON p.tenant_id = m.tenant_id AND p.id = m.payout_id
  LEFT JOIN public.bank_match d ON d.tenant_id = m.tenant_id AND d.attempt_id = m.attempt_id AND d.kind = 'debit'
  LEFT JOIN public.bank_match r ON r.tenant_id = m.tenant_id AND r.attempt_id = m.attempt_id AND r.kind = 'return'
  WHERE m.tenant_id = place AND m.batch_id = batch AND (after IS NULL OR m.position > after)
  ORDER BY m.position LIMIT take;
END
$$;
