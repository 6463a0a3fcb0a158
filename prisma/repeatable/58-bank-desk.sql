-- ── The desk: what banks say, and what it does not fit (docs/bank-reconciliation.md). ──

CREATE VIEW ops.bank_files AS
SELECT f.tenant_id, t.environment, f.connection_id, f.id AS file_id, f.name, f.status, f.format, f.message_id, f.size_bytes,
  f.sha256, f.problem, f.problem_place, f.taken_by, f.received_at, f.read_at, f.applied_at,
  CASE
    WHEN f.status = 'unreadable'
      THEN 'Ask the bank for another file (docs/bank-reconciliation.md has the problem); or, once its reader is mended: '
        || format('SELECT ops.read_bank_file_again(%L, ''…''); or, where nobody needs it: SELECT ops.dismiss_bank_file(%L, ''what it is'', ''…'');', f.id, f.id)
    WHEN f.status = 'waiting' THEN 'A second operator answers it: ' || coalesce(
      (SELECT format('SELECT * FROM ops.changes_to_confirm WHERE change_id = %L;', c.id) FROM public.proposed_change c
      WHERE c.tenant_id = f.tenant_id AND c.kind = 'bank_file_take' AND c.subject_id = f.id AND c.status = 'waiting' AND c.expires_at > now()
      ORDER BY c.id DESC LIMIT 1),
      'nobody did in time. Bring the file again.')
    WHEN f.status = 'received' THEN format('SELECT ops.schedule(''read_bank_file'', %L, reason => ''…'');', f.id)
    WHEN f.status = 'read' AND f.applied_at IS NULL
      THEN format('SELECT ops.schedule(''apply_bank_file'', %L, reason => ''…'');', f.id)
  END AS next_step, f.explanation
FROM public.bank_file f JOIN public.tenant t ON t.id = f.tenant_id;
COMMENT ON VIEW ops.bank_files IS
  'The files that came from banks. unreadable: kept, and nothing that its latest reading says counts; problem and problem_place say why. waiting: an operator brought it, and a second one has not confirmed it. dismissed: the same, and nobody needs it or a second operator declined it; explanation says why. received_at and size_bytes are of its first arrival; format, message_id, problem, read_at and applied_at of its latest reading: a file that is to be read again has neither time, and what an earlier reading said counts until the new one is applied, or if it fails.';

CREATE VIEW ops.bank_unmatched_lines AS
SELECT l.tenant_id, t.environment, l.connection_id, l.id AS line_id, l.file_id, l.direction, l.amount_minor, l.currency,
  l.booked_on, l.doubt, l.bank_reference, l.bank_code, l.end_to_end_id, l.instruction_id, l.trace_number, l.return_code,
  l.named_attempt, a.payout_id AS named_payout, l.created_at, d.matchable,
  CASE WHEN d.matchable
    THEN format('SELECT ops.match_bank_line(%L, ''pay_… or bbt_…'', ''…''); or ', l.id) ELSE '' END
    || format('SELECT ops.explain_bank_line(%L, ''what it is'', ''…'');', l.id) AS next_step
FROM public.bank_line l
JOIN public.tenant t ON t.id = l.tenant_id
CROSS JOIN LATERAL (
  SELECT l.doubt IN ('not_ours', 'no_amount', 'several_attempts', 'no_debit', 'several_debits', 'batch_differs', 'batch_returned', 'not_applied',
    'remainder') AS matchable
) d
LEFT JOIN public.disbursement_attempt a ON a.tenant_id = l.tenant_id AND a.id = l.named_attempt
WHERE l.match = 'unmatched';
COMMENT ON VIEW ops.bank_unmatched_lines IS
  'Movements at banks that match no payment, with the reason (doubt), whether a person can match them (matchable), and what can be done.';

CREATE VIEW ops.bank_stray_answers AS
SELECT s.tenant_id, t.environment, s.connection_id, s.id AS answer_id, s.file_id, s.line, s.kind, s.said,
  s.original_message_id, s.original_batch_id, s.end_to_end_id, s.instruction_id, s.trace_number, s.amount_minor,
  s.currency, s.created_at,
  CASE s.kind
    WHEN 'account_currency' THEN 'Add the account of this currency to the connection, and have the file read again, with which its later ones are: '
      || format('SELECT ops.read_bank_file_again(%L, ''…''); then ', s.file_id)
    WHEN 'other_account' THEN 'Find out whose account it is, and why its statements come here; then '
    WHEN 'event' THEN 'Find out why the worker cannot apply it: SELECT id, last_error FROM ops.jobs WHERE task = ''apply_provider_event'' AND state = ''dead''; '
      || 'once that is mended: SELECT ops.retry_job(id, ''…''); then '
    ELSE 'Ask the bank what it answers; then '
  END || format('SELECT ops.explain_bank_answer(%L, ''what it is'', ''…'');', s.id) AS next_step
FROM public.bank_stray_answer s
JOIN public.tenant t ON t.id = s.tenant_id
WHERE s.status = 'open';
COMMENT ON VIEW ops.bank_stray_answers IS
  'Status reports, returns and notifications of change that name no file or payment of their connection, statements of other accounts, events that the worker has given up, and what can be done. Nothing moved for them.';

-- What the bank says that the payment was, as it is compared (src/domain/bank-file/match-line.ts).
CREATE VIEW ops.bank_amount_differences AS
SELECT l.tenant_id, t.environment, l.connection_id, l.id AS line_id, a.payout_id, a.id AS attempt_id,
  CASE l.ordered_currency WHEN a.currency THEN l.ordered_minor ELSE l.amount_minor END AS said_minor,
  CASE l.ordered_currency WHEN a.currency THEN l.ordered_currency ELSE l.currency END AS said_currency,
  a.amount_minor AS sent_minor, a.currency AS sent_currency, l.booked_on, l.created_at,
  'Examine the contradiction of the payout (ops.contradictions), then '
    || format('SELECT ops.explain_bank_line(%L, ''what it is'', ''…'');', l.id) AS next_step
FROM public.bank_line l
JOIN public.tenant t ON t.id = l.tenant_id
JOIN public.disbursement_attempt a ON a.tenant_id = l.tenant_id AND a.id = l.named_attempt
WHERE l.match = 'unmatched' AND l.doubt = 'amount_differs';
COMMENT ON VIEW ops.bank_amount_differences IS
  'Movements that name a payment of another amount or currency, in minor units. The payout did not move.';

-- A payout is disbursed when its debit is found, so those that wait for one are the approved ones.
CREATE VIEW ops.bank_missing_debits AS
SELECT p.tenant_id, t.environment, bp.connection_id, bp.batch_id, p.id AS payout_id, bp.attempt_id, p.amount_minor, p.currency,
  bb.execution_date, bb.status AS batch_status, bb.sent_at, bp.end_to_end_id, bp.trace_number,
  CASE WHEN a.status = 'submitted'
    THEN 'Ask the bank for the payment by these references; then, as it says: '
      || format('SELECT ops.resolve_payout(%L, ''paid'' or ''not_paid'', …);', p.id)
    ELSE format('SELECT status, problem, next_step FROM ops.bank_batches WHERE batch_id = %L;', bp.batch_id)
  END AS next_step
FROM public.payout p
JOIN public.tenant t ON t.id = p.tenant_id
JOIN public.bank_payment bp ON bp.tenant_id = p.tenant_id AND bp.attempt_id = p.live_attempt_id
JOIN public.disbursement_attempt a ON a.tenant_id = bp.tenant_id AND a.id = bp.attempt_id
JOIN public.bank_batch bb ON bb.tenant_id = bp.tenant_id AND bb.id = bp.batch_id
WHERE p.state = 'approved' AND ops.debit_is_late(bb.execution_date);
COMMENT ON VIEW ops.bank_missing_debits IS
  'Payouts in a file for a bank whose debit no statement has shown five days after their execution, and what can be done.';
