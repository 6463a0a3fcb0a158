import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ledgerKinds, type LedgerKind } from '../../src/domain/ledger/names.ts';
import { payoutStates, type PayoutState } from '../../src/domain/payout/machine.ts';
import { storedReading, type StoredValue } from '../../src/process/metrics/stored-reading.ts';
import { funding, postEntries, type GivenEntry } from '../support/given-entries.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { insertPayoutRows, payoutRow } from '../support/payout-rows.ts';
import { makeOperator, type Operator } from './support.ts';

let database: TestDatabase;
let reader: Operator;
let operator: Operator;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  reader = await makeOperator(database, 'ops_read');
  operator = await makeOperator(database, 'ops_operate');
});
afterAll(async () => {
  await reader.leave();
  await operator.leave();
  await database.drop();
});

beforeEach(async () => {
  await database.reset();
  tenant = await makeTenant({ database }, { environment: 'production' });
});

/** Whether the tenant's payouts from before the ledger are still to be booked. */
const beingCarriedOver = (is: boolean) =>
  database.pool.query(
    is
      ? 'INSERT INTO ledger_carry_over (tenant_id) VALUES ($1)'
      : 'DELETE FROM ledger_carry_over WHERE tenant_id = $1',
    [tenant.tenantId],
  );

/** What the transitions of a payout post, by the states that it can be in and the ways that lead there. */
const histories: readonly (readonly [PayoutState, readonly LedgerKind[]])[] = [
  ['pending_approval', []],
  ['rejected', []],
  ['approved', ['hold']],
  ['canceled', []],
  ['canceled', ['hold', 'release']],
  ['compliance_hold', ['hold', 'release']],
  ['approved', ['hold', 'release', 'hold']],
  ['failed', ['hold', 'release']],
  ['disbursed', ['hold', 'disburse']],
  ['failed', ['hold', 'disburse', 'fail']],
  ['returned', ['hold', 'disburse', 'return']],
  ['settled', ['hold', 'disburse', 'settle']],
  ['returned', ['hold', 'disburse', 'settle', 'return']],
];

/** A payout of 700 in a state, with the entries of its way there. */
async function payoutWith(
  { tenantId, environment }: TestTenant,
  state: PayoutState,
  kinds: readonly LedgerKind[],
  currency = 'USD',
): Promise<string> {
  const own = environment === 'production' ? 'funds' : 'external';
  const row = payoutRow({ state, amount_minor: 700, currency });
  const accounts = (kind: LedgerKind) => {
    if (kind === 'settle') return { debit: 'paid', credit: 'in_transit' } as const;
    if (kind !== 'fail' && kind !== 'return') return { debit: 'in_transit', credit: own } as const;
    const credit = kinds.includes('settle') ? 'paid' : 'in_transit';
    return { debit: own, credit } as const;
  };
  await insertPayoutRows(database.pool, tenantId, [row]);
  const entries = kinds.map((kind, place): GivenEntry => ({
    kind,
    ...accounts(kind),
    amount: 700,
    currency,
    payoutId: row.id,
    seq: place + 2,
  }));
  await postEntries(database.pool, tenantId, entries);
  return row.id;
}

interface Imbalance {
  readonly kind: string;
  readonly currency: string;
  readonly payout_id: string | null;
  readonly account: string | null;
  readonly booked: string;
  readonly expected: string;
}

const imbalances = (): Promise<Imbalance[]> =>
  reader.sql<Imbalance & Record<string, unknown>>(
    `SELECT kind, currency, payout_id, account, booked::text, expected::text FROM ops.ledger_imbalances
     ORDER BY kind, account`,
  );

const brief = (found: readonly Imbalance[]): string[] =>
  found.map(({ kind, account, booked, expected }) =>
    [kind, account ?? 'all', booked, expected].join(' '),
  );

describe('ops.balances', () => {
  it('adds the slots of each currency up, with the mode', async () => {
    await postEntries(database.pool, tenant.tenantId, [
      funding(5_000),
      { kind: 'fee', debit: 'fees', credit: 'funds', amount: 30, source: 'line-1' },
      { kind: 'withdrawal', debit: 'external', credit: 'funds', amount: 70, source: 'line-2' },
    ]);
    await payoutWith(tenant, 'approved', ['hold']);
    await payoutWith(tenant, 'settled', ['hold', 'disburse', 'settle']);
    await payoutWith(tenant, 'disbursed', ['hold', 'disburse'], 'EUR');
    await database.pool.query(`INSERT INTO ledger_mode VALUES ($1, 'enforced')`, [tenant.tenantId]);
    const found = await reader.sql(
      `SELECT environment, currency, mode, funds::integer, held::integer, available::integer, in_transit::integer,
         paid::integer, fees::integer, external::integer FROM ops.balances WHERE tenant_id = $1 ORDER BY currency`,
      [tenant.tenantId],
    );
    const [environment, mode] = ['production', 'enforced'];
    expect(found).toEqual([
      {
        environment,
        currency: 'EUR',
        mode,
        funds: -700,
        held: 0,
        available: -700,
        in_transit: 700,
        paid: 0,
        fees: 0,
        external: 0,
      },
      {
        environment,
        currency: 'USD',
        mode,
        funds: 4_200,
        held: 700,
        available: 3_500,
        in_transit: 0,
        paid: 700,
        fees: 30,
        external: -4_930,
      },
    ]);
    expect(await imbalances()).toEqual([]);
  });

  it('lets a sandbox hold without drawing its funds down', async () => {
    const sandbox = await makeTenant({ database });
    await postEntries(database.pool, sandbox.tenantId, [funding(5_000)]);
    await payoutWith(sandbox, 'approved', ['hold']);
    await payoutWith(sandbox, 'settled', ['hold', 'disburse', 'settle']);
    expect(
      await reader.row(
        `SELECT mode, funds::integer, held::integer, available::integer, paid::integer, external::integer
         FROM ops.balances WHERE tenant_id = $1`,
        [sandbox.tenantId],
      ),
    ).toEqual({
      mode: 'reported',
      funds: 5_000,
      held: 700,
      available: 5_000,
      paid: 700,
      external: -5_700,
    });
  });
});

describe('ops.ledger_imbalances', () => {
  it('knows a way to every state', () => {
    expect(new Set(histories.map(([state]) => state))).toEqual(new Set(payoutStates));
  });

  it.each(['production', 'sandbox'] as const)(
    'is empty for payouts in every state, in %s',
    async (environment) => {
      const owner = await makeTenant({ database }, { environment });
      for (const [state, kinds] of histories) await payoutWith(owner, state, kinds);
      expect(await imbalances()).toEqual([]);
    },
  );

  it.each(histories)('finds a payout that is %s and lacks the last of %j', async (state, kinds) => {
    const payoutId = await payoutWith(tenant, state, kinds.slice(0, -1));
    const found = (await imbalances()).filter(({ kind }) => kind === 'payout');
    expect(found.every((one) => one.payout_id === payoutId)).toBe(true);
    expect(found.length > 0).toBe(kinds.length > 0);
  });

  it('finds what a payout has on the accounts of the other environment', async () => {
    const sandbox = await makeTenant({ database });
    const row = payoutRow({ state: 'disbursed', amount_minor: 700 });
    await insertPayoutRows(database.pool, sandbox.tenantId, [row]);
    await postEntries(
      database.pool,
      sandbox.tenantId,
      (['hold', 'disburse'] as const).map((kind, place) => ({
        kind,
        debit: 'in_transit',
        credit: 'funds',
        amount: 700,
        payoutId: row.id,
        seq: place + 2,
      })),
    );
    expect(brief(await imbalances())).toEqual(['payout external 0 -700', 'payout funds -700 0']);
  });

  it('finds a payout whose entries are in another currency or of another amount', async () => {
    const payoutId = await payoutWith(tenant, 'approved', []);
    const hold = { kind: 'hold', debit: 'in_transit', credit: 'funds', payoutId } as const;
    await postEntries(database.pool, tenant.tenantId, [
      { ...hold, amount: 700, currency: 'EUR', seq: 2 },
      { ...hold, amount: 699, seq: 3 },
    ]);
    expect(
      (await imbalances())
        .filter(({ kind }) => kind === 'payout')
        .map(({ currency, account, booked, expected }) =>
          [currency, account, booked, expected].join(' '),
        )
        .toSorted(),
    ).toEqual(['EUR held 700 0', 'USD held 699 700']);
  });

  it.each([
    ['funds_minor', ['entries funds 5001 5000', 'zero all 1 0']],
    ['external_minor', ['entries external -4999 -5000', 'zero all 1 0']],
    ['held_minor', ['entries held 701 700', 'holds held 701 700']],
  ])('finds a sum that somebody changed: %s', async (column, expected) => {
    await postEntries(database.pool, tenant.tenantId, [funding(5_000)]);
    await payoutWith(tenant, 'approved', ['hold']);
    await database.pool.query(
      `UPDATE ledger_balance SET ${column} = ${column} + 1 WHERE tenant_id = $1 AND slot = 0`,
      [tenant.tenantId],
    );
    expect(brief(await imbalances())).toEqual(expected);
  });

  it('finds books that have balances and no entry, and the reverse', async () => {
    await database.pool.query(
      `INSERT INTO ledger_balance (tenant_id, currency, slot, funds_minor, external_minor)
       VALUES ($1, 'USD', 3, 5, -5)`,
      [tenant.tenantId],
    );
    expect(brief(await imbalances())).toEqual(['entries external -5 0', 'entries funds 5 0']);
    await database.pool.query('DELETE FROM ledger_balance');
    await postEntries(database.pool, tenant.tenantId, [funding(5)]);
    expect(await imbalances()).toEqual([]);
    await database.pool.query('DELETE FROM ledger_balance');
    expect(brief(await imbalances())).toEqual(['entries external 0 -5', 'entries funds 0 5']);
  });

  it('waits for payouts from before the ledger, and finds wrong sums meanwhile', async () => {
    await payoutWith(tenant, 'approved', []);
    await postEntries(database.pool, tenant.tenantId, [funding(5_000)]);
    await beingCarriedOver(true);
    expect(await imbalances()).toEqual([]);
    await database.pool.query('UPDATE ledger_balance SET funds_minor = 5_001 WHERE slot = 0');
    expect(brief(await imbalances())).toEqual(['entries funds 5001 5000', 'zero all 1 0']);
    await beingCarriedOver(false);
    expect(brief(await imbalances())).toContain('holds held 0 700');
  });
});

describe('the metric', () => {
  async function metric(): Promise<number | undefined> {
    const { rows } = await database.pool.query<StoredValue & Record<string, unknown>>(
      storedReading.text,
    );
    return rows.find((row) => row.metric === 'payouts_ledger_imbalances')?.value;
  }
  const insert = (columns: string, values: string) =>
    database.pool.query(
      `INSERT INTO ledger_balance (tenant_id, currency, slot, ${columns}) VALUES ${values}`,
      [tenant.tenantId],
    );

  it('is 0 for books that add up over their slots', async () => {
    expect(await metric()).toBe(0);
    await insert('funds_minor, paid_minor', `($1, 'USD', 0, -5, 0), ($1, 'USD', 1, 0, 5)`);
    await insert('held_minor', `($1, 'EUR', 0, -5), ($1, 'EUR', 1, 5)`);
    expect(await metric()).toBe(0);
  });

  it('counts the books of a currency that do not', async () => {
    await insert('funds_minor, paid_minor', `($1, 'USD', 0, -5, 0), ($1, 'USD', 1, 0, 6)`);
    await insert('held_minor', `($1, 'EUR', 0, -1)`);
    await insert('in_transit_minor, funds_minor', `($1, 'JPY', 0, -1, 1), ($1, 'CHF', 0, 1, -1)`);
    expect(await metric()).toBe(3);
  });

  it('counts no release that came before its hold while a tenant is carried over', async () => {
    await insert('held_minor', `($1, 'EUR', 0, -1)`);
    await insert('funds_minor', `($1, 'USD', 0, 1)`);
    await beingCarriedOver(true);
    expect(await metric()).toBe(1);
    await beingCarriedOver(false);
    expect(await metric()).toBe(2);
  });
});

describe('a recurring export of entries', () => {
  const schedule = (filter: object): [string, unknown[]] => [
    `SELECT schedule_id FROM ops.schedule_export($1, 'ledger_entries', $2::jsonb, '1 day', now(), 'month end')`,
    [tenant.tenantId, JSON.stringify(filter)],
  ];

  it('takes the filter of the endpoint', async () => {
    const payoutId = await payoutWith(tenant, 'approved', ['hold']);
    const recorded_since = '2026-11-01T00:00:00Z';
    for (const filter of [
      {},
      { kind: ledgerKinds },
      { payout_id: payoutId, kind: ['hold'], recorded_since, recorded_before: recorded_since },
    ]) {
      expect(await operator.sql(...schedule(filter))).toHaveLength(1);
    }
  });

  it.each([
    [{ kind: ['unknown'] }, 'there is no kind unknown'],
    [{ kind: 'hold' }, 'kind must be a list of kinds'],
    [{ payout_id: 'pay_none' }, 'the tenant has no such payout'],
    [{ recorded_since: 'yesterday' }, 'recorded_since must be a date and time'],
    [{ state: ['settled'] }, 'it has no state'],
  ])('refuses %j', async (filter, message) => {
    expect((await operator.refusal(...schedule(filter))).message).toContain(message);
  });
});
