-- ── Files for banks: what waits for one, and what became of each (docs/bank-batches.md). ──

CREATE VIEW ops.bank_batches AS
SELECT b.id AS batch_id, b.tenant_id, t.environment, b.connection_id, c.name AS connection, b.scheme, b.currency, b.status,
  b.file_name, b.sha256, b.message_id, b.payment_count, b.control_sum_minor, b.execution_date, b.closed_by, b.closed_at,
  b.sending_at, b.sent_at, b.problem, b.needs_operator,
  ops.bank_batch_step(b.id, b.status, ops.bank_batch_by_hand(c.transport, b.downloaded_by), b.resend_asked_by) AS next_step,
  b.downloaded_by, b.uploaded_by, ops.taken_line(k.who, k.at, k.note) AS taken_by
FROM public.bank_batch b
JOIN public.tenant t ON t.id = b.tenant_id
JOIN public.bank_connection c ON c.tenant_id = b.tenant_id AND c.id = b.connection_id
LEFT JOIN ops.taken k ON k.subject_id = b.id;
COMMENT ON VIEW ops.bank_batches IS
  'Each file for a bank: name, SHA-256 and what it pays; whether the bank has it (status), why not (problem), and what a person can do (next_step).';

CREATE VIEW ops.bank_queues AS
SELECT w.tenant_id, t.environment, w.connection_id, c.name AS connection, c.status AS connection_status, w.scheme, w.currency,
  count(*) AS payouts, sum(p.amount_minor)::bigint AS amount_minor, min(w.since)::timestamptz AS oldest, s.problem
FROM public.bank_waiting w
JOIN public.payout p ON p.tenant_id = w.tenant_id AND p.id = w.payout_id
JOIN public.tenant t ON t.id = w.tenant_id
JOIN public.bank_connection c ON c.tenant_id = w.tenant_id AND c.id = w.connection_id
LEFT JOIN public.bank_sequence s ON s.tenant_id = w.tenant_id AND s.connection_id = w.connection_id
WHERE p.state = 'approved' AND p.live_attempt_id IS NULL
GROUP BY w.tenant_id, t.environment, w.connection_id, c.name, c.status, w.scheme, w.currency, s.problem;
COMMENT ON VIEW ops.bank_queues IS
  'The payouts that wait for the next file of a bank connection, and why no file could be made at the latest cut-off (problem).';
