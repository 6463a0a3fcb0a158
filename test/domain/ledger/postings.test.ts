import { describe, expect, it } from 'vitest';
import { postings } from '../../../src/domain/ledger/postings.ts';
import { transitions } from '../../../src/domain/payout/machine.ts';
import { simulatePayout } from '../../../src/domain/sandbox/simulate.ts';
import { isId } from '../../../src/values/ids.ts';
import { entriesOf, imbalances, sumsOf } from '../../support/books.ts';
import { payoutBody } from '../../support/factory.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ env: { LOG_LEVEL: 'silent' } });

const amount = '125000';
const hold = { kind: 'hold', debit: 'in_transit', credit: 'external', amount };
const release = { ...hold, kind: 'release' };
const disburse = { ...hold, kind: 'disburse' };
const settle = { kind: 'settle', debit: 'paid', credit: 'in_transit', amount };

async function post(path: string, body: unknown = {}): Promise<string> {
  const answer = await world.harness.rest('POST', path, { key: world.tenant.key, body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.payout?.id ?? '';
}
const waiting = () => post('/v1/payouts', payoutBody(world.payee));
const approved = async () => {
  const id = await waiting();
  await post(`/v1/payouts/${id}/approve`);
  return id;
};
const told = async (...types: ('disbursed' | 'settled' | 'failed' | 'returned')[]) => {
  const id = await world.handedOver('ok');
  for (const type of types) expect(await world.tell(id, { type })).toBe('applied');
  return id;
};

/** A way through the machine, and the entries that it leaves. */
const ways: readonly [string, () => Promise<string>, readonly object[]][] = [
  ['a payout that waits', waiting, []],
  ['approve', approved, [hold]],
  [
    'auto',
    () => post('/v1/payouts', payoutBody(world.payee, { validator_strategy: 'auto' })),
    [hold],
  ],
  [
    'reject',
    async () => {
      const id = await waiting();
      await post(`/v1/payouts/${id}/reject`, { reasons: [{ message: 'no' }] });
      return id;
    },
    [],
  ],
  [
    'cancel what is approved',
    async () => {
      const id = await approved();
      await post(`/v1/payouts/${id}/cancel`);
      return id;
    },
    [hold, release],
  ],
  [
    'a compliance hold, its release, another approval',
    async () => {
      const id = await approved();
      await simulatePayout(world.call, id, { event: 'hold' });
      await simulatePayout(world.call, id, { event: 'release' });
      await post(`/v1/payouts/${id}/approve`);
      return id;
    },
    [hold, release, hold],
  ],
  ['a refusal at the submission', () => world.handedOver('rejected'), [hold, release]],
  ['an outcome that is not known', () => world.handedOver('unknown_lost'), [hold]],
  ['disburse', () => told('disbursed'), [hold, disburse]],
  ['settle', () => told('disbursed', 'settled'), [hold, disburse, settle]],
  ['an event that skips disbursed', () => told('settled'), [hold, disburse, settle]],
  [
    'fail after disburse',
    () => told('disbursed', 'failed'),
    [hold, disburse, { kind: 'fail', debit: 'external', credit: 'in_transit', amount }],
  ],
  [
    'return before it settled',
    () => told('disbursed', 'returned'),
    [hold, disburse, { kind: 'return', debit: 'external', credit: 'in_transit', amount }],
  ],
  [
    'return of what had arrived',
    () => told('settled', 'returned'),
    [hold, disburse, settle, { kind: 'return', debit: 'external', credit: 'paid', amount }],
  ],
];

describe('a payout of the sandbox', () => {
  it.each(ways)('%s', async (_name, go, entries) => {
    const before = await sumsOf(world.harness.database.pool, world.tenant.tenantId);
    const id = await go();
    const { pool } = world.harness.database;
    expect(await entriesOf(pool, id)).toEqual(entries);
    expect(await imbalances(pool, world.tenant.tenantId)).toEqual([]);
    const after = await sumsOf(pool, world.tenant.tenantId);
    expect(after.funds, 'a sandbox draws nothing down').toBe(before.funds);
  });

  it('has entries with ids as everything has', async () => {
    const ids = await world.sql<{ id: string }>('SELECT id FROM ledger_entry');
    expect(ids.length).toBeGreaterThan(10);
    expect(ids.filter(({ id }) => !isId('ledgerEntry', id))).toEqual([]);
  });
});

it('holds what one request approves as one', async () => {
  const { pool } = world.harness.database;
  const before = await sumsOf(pool, world.tenant.tenantId);
  const rows = [1, 2, 3].map((amount_minor) =>
    payoutBody(world.payee, { amount_minor, validator_strategy: 'auto' }),
  );
  const answer = await world.harness.rest('POST', '/v1/payouts/bulk', {
    key: world.tenant.key,
    body: { payouts: [...rows, payoutBody(world.payee)] },
  });
  expect(answer.body.summary.created).toBe(4);
  expect((await sumsOf(pool, world.tenant.tenantId)).held).toBe(before.held + 6);
  expect(await imbalances(pool, world.tenant.tenantId)).toEqual([]);
});

it('names only transitions that the machine has', () => {
  const known = transitions.map(({ from, to }) => `${from} ${to}`);
  expect(postings.filter(({ from, to }) => !known.includes(`${from} ${to}`))).toEqual([]);
});

it.each([
  'UPDATE ledger_entry SET amount_minor = 1 WHERE tenant_id = $1',
  'DELETE FROM ledger_entry WHERE tenant_id = $1',
])('refuses the service: %s', async (text) => {
  const { services, scope } = world.call;
  await expect(services.pool.query(text, [scope.tenantId])).rejects.toThrow(/permission denied/);
});
