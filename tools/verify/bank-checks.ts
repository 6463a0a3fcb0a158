import type { Check } from './check.ts';

/**
 * What must hold between the database and the sandbox bank's own book. `bank_order` is what the bank took, with the
 * file that it stood in, and `bank_entry` what it booked. `bank_sent` joins an order with the payment of ours
 * that it is, by the references of the file. A connection is a customer of the bank.
 */
export const bankChecks: readonly Check[] = [
  {
    invariant: 'F1',
    promise: 'The bank debited at most once for a payout.',
    sql: `
      SELECT s.payout_id AS id, string_agg(e.id, ', ' ORDER BY e.id) AS detail
      FROM bank_entry e JOIN bank_sent s ON s.order_id = e.order_id
      WHERE e.what = 'payment'
      GROUP BY s.tenant_id, s.payout_id HAVING count(*) > 1`,
  },
  {
    invariant: 'F1',
    promise:
      'Each debit of the bank is an attempt of ours, with its amount and currency, unless a person has to look.',
    sql: `
      SELECT e.id, concat_ws(' ', e.customer, e.order_id, e.amount, e.currency, a.amount_minor, a.currency) AS detail
      FROM bank_paid e
      LEFT JOIN bank_sent s ON s.order_id = e.order_id
      LEFT JOIN attempts a ON a.tenant_id = s.tenant_id AND a.id = s.attempt_id
      WHERE e.before AND (
        a.id IS NULL OR (e.paid_minor, e.paid_currency) IS DISTINCT FROM (a.amount_minor::numeric, a.currency)
      ) AND NOT EXISTS (
        SELECT FROM provider_contradiction p WHERE p.tenant_id = a.tenant_id AND p.subject_id = a.id
      )`,
  },
  {
    invariant: 'F2',
    promise: 'What the bank took is a file of ours, byte for byte, and each payment stands in one.',
    sql: `
      SELECT o.id, concat_ws(' ', o.customer, o.message_id, o.file_sha256) AS detail FROM bank_order o
      LEFT JOIN bank_sent s ON s.order_id = o.id
      LEFT JOIN bank_batch b ON b.tenant_id = s.tenant_id AND b.id = s.batch_id
      WHERE o.before AND (b.id IS NULL OR b.sha256 <> o.file_sha256)
      UNION ALL
      SELECT s.attempt_id, string_agg(s.order_id, ', ') FROM bank_sent s
      GROUP BY s.tenant_id, s.attempt_id HAVING count(*) > 1`,
  },
  {
    invariant: 'F3',
    promise:
      'Nothing is disbursed, settled or returned that the bank has not debited, unless an operator decided so or has to look.',
    sql: `
      SELECT a.payout_id AS id, concat_ws(' ', a.state, a.id) AS detail FROM bank_attempt a
      WHERE a.state IN ('disbursed', 'settled', 'returned') AND a.status <> 'rejected' AND NOT EXISTS (
        SELECT FROM bank_sent s JOIN bank_entry e ON e.order_id = s.order_id AND e.what = 'payment'
        WHERE s.tenant_id = a.tenant_id AND s.attempt_id = a.id
      ) AND NOT EXISTS (
        SELECT FROM provider_contradiction c WHERE c.tenant_id = a.tenant_id AND c.payout_id = a.payout_id
      ) AND NOT EXISTS (
        SELECT FROM payout_transition t
        WHERE t.tenant_id = a.tenant_id AND t.payout_id = a.payout_id AND t.actor ->> 'type' = 'operator'
      )`,
  },
  {
    invariant: 'F4',
    promise: 'What a payment is matched with is a line of a statement that shows it.',
    sql: `
      SELECT m.attempt_id AS id, concat_ws(' ', m.kind, m.line_id) AS detail FROM bank_match m
      LEFT JOIN bank_line l ON l.tenant_id = m.tenant_id AND l.id = m.line_id
      WHERE l.id IS NULL OR l.match NOT IN ('payout', 'return', 'explained')`,
  },
];

/** What must hold once nothing is under way. */
export const bankAtRestChecks: readonly Check[] = [
  {
    invariant: 'F3',
    promise:
      'The bank has debited nothing for a payout that failed, unless an operator decided so or has to look.',
    sql: `
      SELECT a.payout_id AS id, concat_ws(' ', a.state, e.id) AS detail FROM bank_attempt a
      JOIN bank_sent s ON s.tenant_id = a.tenant_id AND s.attempt_id = a.id
      JOIN bank_entry e ON e.order_id = s.order_id AND e.what = 'payment'
      WHERE (a.state NOT IN ('disbursed', 'settled', 'returned') OR a.status = 'rejected')
        AND NOT EXISTS (
          SELECT FROM provider_contradiction c WHERE c.tenant_id = a.tenant_id AND c.payout_id = a.payout_id
        ) AND NOT EXISTS (
          SELECT FROM payout_transition t
          WHERE t.tenant_id = a.tenant_id AND t.payout_id = a.payout_id AND t.actor ->> 'type' = 'operator'
        )`,
  },
  {
    invariant: 'F4',
    promise: 'Each debit and each return of the bank is matched, or waits for a person.',
    sql: `
      SELECT s.payout_id AS id, concat_ws(' ', e.what, e.id, p.state) AS detail
      FROM bank_entry e
      JOIN bank_sent s ON s.order_id = e.order_id
      JOIN payout p ON p.tenant_id = s.tenant_id AND p.id = s.payout_id
      WHERE (
        NOT EXISTS (
          SELECT FROM bank_match m
          WHERE m.tenant_id = s.tenant_id AND m.attempt_id = s.attempt_id
            AND m.kind = CASE e.what WHEN 'payment' THEN 'debit' ELSE 'return' END
        ) OR (e.what = 'return' AND p.state <> 'returned')
      ) AND NOT EXISTS (
        SELECT FROM provider_contradiction c WHERE c.tenant_id = s.tenant_id AND c.payout_id = s.payout_id
      ) AND NOT EXISTS (
        SELECT FROM bank_line l WHERE l.tenant_id = s.tenant_id AND l.named_attempt = s.attempt_id
      )`,
  },
];
