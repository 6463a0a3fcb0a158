import { expect, it } from 'vitest';
import { insertPayouts, type NewPayout } from '../../../src/domain/payout/create-store.ts';
import { unrouted } from '../../../src/domain/payout/route-verdict.ts';
import { newId } from '../../../src/values/ids.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();

function newPayout(): NewPayout {
  const id = newId('payout');
  const { beneficiaryId, bankAccountId } = world.payee;
  return {
    id,
    idempotencyKey: id,
    requestHash: Buffer.alloc(32),
    beneficiaryId,
    bankAccountId,
    amountMinor: 5n,
    amount: '0.05',
    currency: 'USD',
    purposeOfPayment: 'royalties',
    externalRef: null,
    validatorStrategy: 'manual',
    replacesPayoutId: null,
    metadata: null,
    decision: null,
    echoDiffers: false,
    echoRevision: null,
    route: unrouted,
    madeOf: null,
  };
}

it('plans the creation of a payout once, also where the tables are large and analysed', async () => {
  const { pool } = world.call.services;
  const create = (client: Parameters<typeof insertPayouts>[0], count: number) =>
    insertPayouts(client, world.call.scope, Array.from({ length: count }, newPayout), {
      keyHours: 24,
      dryRun: false,
      atomic: false,
    });
  for (let batch = 0; batch < 20; batch += 1) await create(pool, 1_000);
  await world.sql('ANALYZE');
  const client = await pool.connect();
  try {
    for (let i = 0; i < 20; i += 1) await create(client, 1);
    const { rows } = await client.query(
      `SELECT custom_plans::int AS custom FROM pg_prepared_statements WHERE name = 'create_one_payout'`,
    );
    // PostgreSQL tries five before it compares; each costs twice the statement's execution.
    expect(rows).toEqual([{ custom: 5 }]);
  } finally {
    client.release();
  }
});
