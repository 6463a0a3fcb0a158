import type { Check } from './check.ts';

/** What `ops.ledger_imbalances` finds of a kind, in the businesses that are looked at. */
const imbalances = (kind: 'zero' | 'entries' | 'holds' | 'payout'): string => `
      SELECT coalesce(i.payout_id, i.tenant_id) AS id,
        concat_ws(' ', i.currency, i.account, 'is', i.booked, 'and should be', i.expected) AS detail
      FROM ops.ledger_imbalances i
      WHERE i.kind = '${kind}' AND i.tenant_id IN (SELECT o.id FROM own_tenant o)`;

/** What must hold for the books at any moment (docs/ledger.md). */
export const bookChecks: readonly Check[] = [
  {
    invariant: 'B1',
    promise: 'The five accounts of a tenant and currency are zero together.',
    sql: imbalances('zero'),
  },
  {
    invariant: 'B1',
    promise: 'What is posted on each account, and what is held, is the sum of its entries.',
    sql: imbalances('entries'),
  },
  {
    invariant: 'B2',
    promise: 'What is held is what the approved payouts need.',
    sql: imbalances('holds'),
  },
  {
    invariant: 'B3',
    promise: 'The entries of a payout add up to what its state says.',
    sql: imbalances('payout'),
  },
  {
    invariant: 'B3',
    promise:
      'What the books sent is in the provider’s ledger or the bank’s book, where that is read, unless an operator decided so or has to look.',
    sql: `
      SELECT e.payout_id AS id, concat_ws(' ', e.id, e.amount_minor, e.currency) AS detail FROM ledger_entry e
      WHERE e.kind = 'disburse' AND NOT EXISTS (
        SELECT FROM attempts a JOIN ledger l ON l.tenant_id = a.tenant_id AND l.attempt_id = a.id
        WHERE a.tenant_id = e.tenant_id AND a.payout_id = e.payout_id
          AND l.amount_minor = e.amount_minor AND l.currency = e.currency
      ) AND NOT EXISTS (
        SELECT FROM bank_sent s
        JOIN bank_paid b ON b.order_id = s.order_id AND b.paid_currency = e.currency
        WHERE s.tenant_id = e.tenant_id AND s.payout_id = e.payout_id AND b.paid_minor = e.amount_minor
      ) AND NOT EXISTS (
        SELECT FROM uncompared u
        WHERE u.tenant_id = e.tenant_id AND u.payout_id = e.payout_id AND u.status <> 'rejected'
      ) AND NOT EXISTS (
        SELECT FROM provider_contradiction c WHERE c.tenant_id = e.tenant_id AND c.payout_id = e.payout_id
      ) AND NOT EXISTS (
        SELECT FROM payout_transition t
        WHERE t.tenant_id = e.tenant_id AND t.payout_id = e.payout_id AND t.actor ->> 'type' = 'operator'
      )`,
  },
  {
    invariant: 'B3',
    promise: 'Only the books of the simulator and of the sandbox bank are read. Not those of:',
    informs: true,
    sql: `
      SELECT u.provider AS id, concat_ws(' ', u.environment || ':', count(DISTINCT u.payout_id), 'payouts') AS detail
      FROM uncompared u GROUP BY u.provider, u.environment ORDER BY u.provider, u.environment`,
  },
];
