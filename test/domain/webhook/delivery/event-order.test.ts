import { expect, it } from 'vitest';
import { inTransaction, type Queryable } from '../../../../src/db/pool.ts';
import { newId } from '../../../../src/values/ids.ts';
import { payoutBody } from '../../../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../../../support/use-harness.ts';

/**
 * A receiver orders events of one moment by `sequence`. On Citus an event is placed on its tenant's node, or on the
 * coordinator where the command is a part of a transaction.
 */
const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

it('the sequence of a payout’s events is their order, whichever way they are recorded', async () => {
  const { key, tenantId } = tenant;
  const made = await harness.rest('POST', '/v1/payouts', { key, body: payoutBody(payee) });
  expect(made.status, made.text).toBe(201);
  const payoutId: string = made.body.payout.id;
  const { pool } = harness.database;

  async function record(client: Queryable, ...discriminators: string[]): Promise<void> {
    const events = discriminators.map((discriminator) =>
      JSON.stringify({
        id: newId('event'),
        delivery_id: newId('webhookDelivery'),
        payout_id: payoutId,
        type: 'payout.disbursed',
        discriminator,
        data: {},
      }),
    );
    await client.query('SELECT command.record_events($1, $2)', [tenantId, events]);
  }

  for (const round of ['1', '2', '3']) {
    await record(pool, `${round}a`, `${round}b`);
    await inTransaction(pool, async (client) => {
      await record(client, `${round}c`, `${round}d`, `${round}e`);
      await record(client, `${round}f`);
    });
  }
  const { rows: found } = await harness.database.pool.query<{ of: string; sequence: string }>(
    `SELECT discriminator AS of, sequence FROM event
     WHERE tenant_id = $1 AND payout_id = $2 AND type = 'payout.disbursed' ORDER BY event.sequence`,
    [tenantId, payoutId],
  );
  expect(found.map(({ of }) => of)).toEqual(
    ['1', '2', '3'].flatMap((round) => ['a', 'b', 'c', 'd', 'e', 'f'].map((one) => round + one)),
  );
  // JSON has them as numbers.
  expect(found.every(({ sequence }) => Number.isSafeInteger(Number(sequence)))).toBe(true);
});
