import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { replaceBankAccountDetails } from '../../../src/domain/bank-account/update.ts';
import { openEmail, readBeneficiary } from '../../../src/domain/beneficiary/store.ts';
import { suspendBeneficiary } from '../../../src/domain/beneficiary/suspend.ts';
import { changeBeneficiary } from '../../../src/domain/beneficiary/update.ts';
import { createPayoutsInBulk } from '../../../src/domain/payout/bulk.ts';
import { createPayout, type PayoutCreated } from '../../../src/domain/payout/create.ts';
import type { PayoutCreateInput } from '../../../src/domain/payout/input.ts';
import { inTransaction, rows } from '../../../src/db/pool.ts';
import { DomainError } from '../../../src/errors/domain-error.ts';
import type { Call } from '../../../src/process/services.ts';
import { behind, within } from '../../support/behind.ts';
import { payoutInput } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ env: { LOG_LEVEL: 'silent' } });

const input = (more: Partial<PayoutCreateInput> = {}) => payoutInput(world.payee, more);
type Input = ReturnType<typeof input>;

type Created = Omit<PayoutCreated, 'funding' | 'tried'>;

/** Created as one of several, for which there is a statement of its own. */
async function createAmongOthers(call: Call, given: Input): Promise<Created> {
  const payouts = [given, { ...given, idempotencyKey: randomUUID() }];
  const [result] = await createPayoutsInBulk(call, { payouts });
  if (result === undefined || result.error !== null) throw result?.error ?? new Error('no row');
  return { payout: result.payout, replayed: result.status === 'replayed' };
}

type Create = (call: Call, given: Input) => Promise<Created>;
const ways: [string, Create][] = [
  ['alone', createPayout],
  ['in bulk', createAmongOthers],
];

const racing = <T>(
  first: (client: PoolClient) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> => behind(world.call.services.pool, first, second);

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'created',
    (error: unknown) => {
      if (error instanceof DomainError) return error.code;
      throw error;
    },
  );

const idsUnder = async (key: string): Promise<string[]> =>
  (await world.sql<{ id: string }>('SELECT id FROM payout WHERE idempotency_key = $1', [key])).map(
    ({ id }) => id,
  );

describe.each(ways)('%s, behind a transaction that is not committed', (_name, create) => {
  it("gives the racer's payout where it has the key", async () => {
    const given = input();
    let racer = '';
    const got = await racing(
      async (client) => {
        racer = (await createPayout(within(world.call, client), given)).payout?.id ?? '';
      },
      () => create(world.call, given),
    );
    expect(got).toMatchObject({ replayed: true, payout: { id: racer } });
    expect(await idsUnder(given.idempotencyKey)).toEqual([racer]);
  });

  it('refuses the key of a racer with other content', async () => {
    const given = input();
    const refused = racing(
      (client) => createPayout(within(world.call, client), { ...given, amountMinor: 1 }),
      () => create(world.call, given),
    );
    expect(await codeOf(refused)).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await idsUnder(given.idempotencyKey)).toHaveLength(1);
  });

  it('leaves a key that is over to one of two', async () => {
    const given = input();
    await createPayout(world.call, given);
    await world.sql(
      `UPDATE payout_idempotency SET created_at = now() - interval '25 hours' WHERE idempotency_key = $1`,
      [given.idempotencyKey],
    );
    const got = await racing(
      (client) => createPayout(within(world.call, client), given),
      () => create(world.call, given),
    );
    expect(got.replayed).toBe(true);
    expect(await idsUnder(given.idempotencyKey)).toHaveLength(2);
  });

  it.each([
    ['before', '23:59:59.998', true],
    ['after', '24:00:00.002', false],
  ])('just %s its 24 hours are over (%s) a key is replayed: %s', async (_when, age, replayed) => {
    const given = input();
    await createPayout(world.call, given);
    // In one transaction the database's clock stands still; the column holds milliseconds.
    await inTransaction(world.call.services.pool, async (client) => {
      const ages = {
        name: 'age_key',
        text: `UPDATE payout_idempotency SET created_at = now() - $3::interval
         WHERE tenant_id = $1 AND idempotency_key = $2`,
      };
      await rows(client, ages, [world.call.scope.tenantId, given.idempotencyKey, age]);
      expect(await createPayout(within(world.call, client), given)).toMatchObject({ replayed });
    });
    expect(await idsUnder(given.idempotencyKey)).toHaveLength(replayed ? 1 : 2);
  });

  it('pays nobody who is being suspended', async () => {
    const given = input();
    const refused = racing(
      (client) => suspendBeneficiary(client, world.call.scope, given.beneficiaryId, 'just now'),
      () => create(world.call, given),
    );
    expect(await codeOf(refused)).toBe('BENEFICIARY_NOT_COMPLIANT');
    expect(await idsUnder(given.idempotencyKey)).toEqual([]);
  });

  it('pays no account whose details are being replaced by others that are not checked', async () => {
    const given = input();
    const refused = racing(
      (client) =>
        replaceBankAccountDetails(
          within(world.call, client),
          given.beneficiaryId,
          given.bankAccountId,
          {
            accountHolderName: 'Ada Lovelace',
            country: 'MX',
            currency: 'MXN',
            clabe: '032180000118359719',
          },
        ),
      () => create(world.call, given),
    );
    expect(await codeOf(refused)).toBe('BANK_ACCOUNT_NOT_VALIDATED');
    expect(await idsUnder(given.idempotencyKey)).toEqual([]);
  });

  it('names the version of the account that is there when it is committed', async () => {
    const given = input();
    const { payout } = await racing(
      (client) =>
        replaceBankAccountDetails(
          within(world.call, client),
          given.beneficiaryId,
          given.bankAccountId,
          {
            accountHolderName: 'Ada Lovelace',
            country: 'US',
            currency: 'USD',
            routingCode: '021000021',
            accountNumber: '7654321',
          },
        ),
      () => create(world.call, given),
    );
    expect(payout).toMatchObject({ bankAccountVersion: 2 });
  });

  it.each([
    ['refuses an echo that a change makes wrong', 'old', 'BENEFICIARY_MISMATCH'],
    ['takes an echo that a change makes right', 'new', 'created'],
  ] as const)('%s', async (_case, echoed, expected) => {
    const { beneficiaryId } = world.payee;
    const old = openEmail(world.call, await readBeneficiary(world.call, beneficiaryId));
    // An address, since a change of it asks for no acknowledgment, which is another gate.
    const emails = { old, new: `moved-${old}` };
    const outcome = racing(
      (client) =>
        changeBeneficiary(within(world.call, client), beneficiaryId, { email: emails.new }),
      () => create(world.call, input({ beneficiary: { email: emails[echoed] } })),
    );
    expect(await codeOf(outcome)).toBe(expected);
  });
});

it.each([
  ['beneficiary', () => world.payee.beneficiaryId],
  ['bank_account', () => world.payee.bankAccountId],
])('holds the %s against change until it is committed', async (table, id) => {
  await racing(
    (client) => createPayout(within(world.call, client), input()),
    async () => {
      const change = world.sql(
        `SELECT FROM ${table} WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE NOWAIT`,
        [world.tenant.tenantId, id()],
      );
      await expect(change).rejects.toThrow('could not obtain lock');
    },
  );
});
