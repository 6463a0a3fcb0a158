import type { Check } from './check.ts';

/**
 * Compares what a receiver of webhooks has logged with the events. `received` has one row for each
 * delivery; `before` marks those that came before the database was read.
 */
export const receiverChecks: readonly Check[] = [
  {
    invariant: 'S3',
    promise: 'What was received is a committed event, unchanged.',
    sql: `
      SELECT r.id, concat_ws(' ', r.type, r.payout_id, r.occurred_at) AS detail FROM received r
      LEFT JOIN event e ON e.id = r.id
      WHERE r.before AND (e.id IS NULL OR (e.type, e.occurred_at, e.sequence) IS DISTINCT FROM (r.type, r.occurred_at, r.sequence)
        OR e.payout_id IS DISTINCT FROM r.payout_id OR e.data <> r.data)`,
  },
  {
    invariant: 'S2',
    promise: 'A repetition has the same id, type, time and number.',
    sql: `
      SELECT r.id, count(*)::text AS detail FROM received r
      GROUP BY r.id
      HAVING count(DISTINCT (r.type, r.occurred_at, r.sequence, r.payout_id)) > 1`,
  },
  {
    invariant: 'S3',
    promise: 'What counts as delivered to the receiver’s tenants was received.',
    sql: `
      SELECT d.event_id AS id, d.id AS detail FROM webhook_delivery d
      WHERE d.status = 'delivered'
        AND d.tenant_id IN (SELECT e.tenant_id FROM received r JOIN event e ON e.id = r.id)
        AND NOT EXISTS (SELECT FROM received r WHERE r.id = d.event_id)`,
  },
];
