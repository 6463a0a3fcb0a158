import { describe, expect, it } from 'vitest';
import { createPayout } from '../../../src/domain/payout/create.ts';
import type { PayoutCreateInput } from '../../../src/domain/payout/input.ts';
import { newId } from '../../../src/values/ids.ts';
import { makePayee } from '../../support/factory.ts';
import {
  codeOf,
  memberCall,
  move,
  newPayout,
  payoutInput,
  refusalOf,
  withSettings,
} from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const input = (more: Partial<PayoutCreateInput> = {}) => payoutInput(world.payee, more);

/** How many rows the tables have that a create writes. */
const counts = () =>
  world.sql(
    `SELECT (SELECT count(*) FROM payout) AS payouts, (SELECT count(*) FROM payout_transition) AS records,
       (SELECT count(*) FROM payout_idempotency) AS keys, (SELECT count(*) FROM payout_decision) AS decisions`,
  );

async function jobs(payoutId: string): Promise<number> {
  const text = `SELECT FROM graphile_worker._private_jobs WHERE payload->>'payoutId' = $1`;
  return (await world.sql(text, [payoutId])).length;
}

it('creates a payout that waits for a decision, with its first record', async () => {
  const call = await memberCall(world.call.services, world.tenant, 'preparer');
  const given = input({ externalRef: 'invoice 7', metadata: { order: '7' } });
  const { payout, replayed } = await createPayout(call, given);
  expect(replayed).toBe(false);
  expect(payout).toMatchObject({
    state: 'pending_approval',
    beneficiaryId: world.payee.beneficiaryId,
    beneficiaryName: 'Ada Lovelace',
    beneficiaryType: 'person',
    bankAccountId: world.payee.bankAccountId,
    bankAccountVersion: 1,
    amountMinor: 125_000n,
    amount: '1250.00',
    externalRef: 'invoice 7',
    metadata: { order: '7' },
    validatorStrategy: 'manual',
    createdBy: call.scope.actor,
    approvedAt: null,
    replacesPayoutId: null,
  });
  const records = await world.sql(
    'SELECT seq, from_state, to_state, actor FROM payout_transition WHERE payout_id = $1',
    [payout?.id],
  );
  const made = { seq: 1, from_state: 'new', to_state: 'pending_approval' };
  expect(records).toEqual([{ ...made, actor: call.scope.actor }]);
  expect(await jobs(payout?.id ?? '')).toBe(0);
});

it('approves at the creation with validator_strategy auto, with the decision and the job', async () => {
  const { payout } = await createPayout(world.call, input({ validatorStrategy: 'auto' }));
  expect(payout).toMatchObject({ state: 'approved', approvedAt: expect.any(Date) });
  const decisions = await world.sql(
    'SELECT status, reasons, evaluated_by FROM payout_decision WHERE payout_id = $1',
    [payout?.id],
  );
  expect(decisions).toMatchObject([
    {
      status: 'approved',
      reasons: [{ code: 'AUTO_APPROVAL' }],
      evaluated_by: { type: 'system', name: 'auto' },
    },
  ]);
  expect(await jobs(payout?.id ?? '')).toBe(1);
});

describe('who may', () => {
  it.each([
    ['owner', true, true],
    ['admin', true, true],
    ['preparer', true, false],
    ['approver', false, false],
    ['developer', false, false],
    ['viewer', false, false],
  ] as const)('%s: create %s, approve by creating %s', async (role, creates, approves) => {
    const call = await memberCall(world.call.services, world.tenant, role);
    const outcomes = ([undefined, 'auto'] as const).map((validatorStrategy) =>
      createPayout(call, input({ validatorStrategy })).then(
        () => true,
        () => false,
      ),
    );
    expect(await Promise.all(outcomes)).toEqual([creates, approves]);
    if (!creates) expect(await codeOf(createPayout(call, input()))).toBe('forbidden');
  });

  it('nobody approves by creating where somebody else has to approve', async () => {
    const { businessId } = world.tenant;
    const demand = 'UPDATE business SET distinct_approver = $2 WHERE id = $1';
    await world.sql(demand, [businessId, true]);
    try {
      const auto = input({ validatorStrategy: 'auto' });
      expect(await codeOf(createPayout(world.call, auto))).toBe('forbidden');
      const { payout } = await createPayout(world.call, input());
      expect(payout).toMatchObject({ distinctApprover: true });
    } finally {
      await world.sql(demand, [businessId, false]);
    }
  });
});

it.each<[string, Partial<Record<keyof PayoutCreateInput, unknown>>, string]>([
  ['a string amount', { amountMinor: '100' }, 'INVALID_MONEY'],
  ['a fraction', { amountMinor: 1.5 }, 'INVALID_MONEY'],
  ['zero', { amountMinor: 0 }, 'INVALID_MONEY'],
  ['less than nothing', { amountMinor: -1n }, 'INVALID_MONEY'],
  ['too much', { amountMinor: 1_000_000_000_000 }, 'INVALID_MONEY'],
  ['an unknown currency', { currency: 'XXX' }, 'INVALID_MONEY'],
  ['no amount', { amountMinor: undefined }, 'validation_failed'],
  ['no purpose', { purposeOfPayment: undefined }, 'INVALID_PURPOSE_OF_PAYMENT'],
  ['an unknown purpose', { purposeOfPayment: 'fun' }, 'INVALID_PURPOSE_OF_PAYMENT'],
  ['an empty key', { idempotencyKey: '' }, 'validation_failed'],
  ['an unknown strategy', { validatorStrategy: 'dice' }, 'validation_failed'],
  ['an unknown beneficiary', { beneficiaryId: newId('beneficiary') }, 'not_found'],
  ['an unknown account', { bankAccountId: newId('bankAccount') }, 'BANK_ACCOUNT_NOT_FOUND'],
  ['a malformed predecessor', { replacesPayoutId: 'pay_1' }, 'PREDECESSOR_NOT_REPLACEABLE'],
])('refuses %s, and writes nothing', async (_what, more, code) => {
  const before = await counts();
  const given = { ...input(), ...more } as PayoutCreateInput;
  expect(await codeOf(createPayout(world.call, given))).toBe(code);
  expect(await counts()).toEqual(before);
});

it('takes no more than PAYOUT_MAX_AMOUNT_MINOR', async () => {
  const call = withSettings(world.call, { PAYOUT_MAX_AMOUNT_MINOR: 500 });
  expect(await codeOf(createPayout(call, input({ amountMinor: 501 })))).toBe('INVALID_MONEY');
  const { payout } = await createPayout(call, input({ amountMinor: 500 }));
  expect(payout?.amount).toBe('5.00');
});

it('says why the rail refused the account', async () => {
  await world.sql('UPDATE bank_account SET rail_rejection_reason = $2 WHERE id = $1', [
    world.payee.bankAccountId,
    'closed at the bank',
  ]);
  const { code, message } = await refusalOf(createPayout(world.call, input()));
  expect([code, message]).toEqual([
    'BANK_ACCOUNT_RAIL_REJECTED',
    'The payout rail refused this account: closed at the bank',
  ]);
});

describe('a dry run', () => {
  it('judges everything and writes nothing', async () => {
    const before = await counts();
    const dry = { dryRun: true, validatorStrategy: 'auto' } as const;
    const nothing = { payout: null, replayed: false };
    expect(await createPayout(world.call, input(dry))).toMatchObject(nothing);
    const wrong = createPayout(world.call, input({ ...dry, currency: 'EUR' }));
    expect(await codeOf(wrong)).toBe('unprocessable_entity');
    expect(await counts()).toEqual(before);
  });

  it('shows no payout under a key that is taken, and refuses its other content', async () => {
    const given = input();
    await createPayout(world.call, given);
    const dry = { ...given, dryRun: true };
    expect(await createPayout(world.call, dry)).toMatchObject({ payout: null, replayed: false });
    const other = createPayout(world.call, { ...dry, amountMinor: 1 });
    expect(await codeOf(other)).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe('an idempotency key', () => {
  it('gives the original, also as it is by then and where nulls are left out', async () => {
    const given = input();
    const first = await createPayout(world.call, given);
    await move(world.call, first.payout?.id ?? '', { trigger: 'cancel' });
    const nulls = { externalRef: null, metadata: {}, beneficiary: null, validatorStrategy: null };
    const again = await createPayout(world.call, { ...given, ...nulls });
    expect(again).toMatchObject({
      replayed: true,
      payout: { id: first.payout?.id, state: 'canceled' },
    });
  });

  it('is not used up by a refusal', async () => {
    const given = input({ currency: 'EUR' });
    await codeOf(createPayout(world.call, given));
    const { replayed } = await createPayout(world.call, { ...given, currency: 'USD' });
    expect(replayed).toBe(false);
  });

  it.each<[string, () => Promise<Partial<PayoutCreateInput>>]>([
    ['beneficiaryId', async () => ({ beneficiaryId: (await other()).beneficiaryId })],
    ['bankAccountId', async () => ({ bankAccountId: (await other()).bankAccountId })],
    ['amountMinor', () => Promise.resolve({ amountMinor: 1 })],
    ['currency', () => Promise.resolve({ currency: 'EUR' })],
    ['purposeOfPayment', () => Promise.resolve({ purposeOfPayment: 'payroll' })],
    ['externalRef', () => Promise.resolve({ externalRef: 'another' })],
    ['metadata', () => Promise.resolve({ metadata: { order: '8' } })],
    ['validatorStrategy', () => Promise.resolve({ validatorStrategy: 'agent' })],
    [
      'replacesPayoutId',
      async () => ({ replacesPayoutId: await newPayout(world.call, world.payee) }),
    ],
    ['beneficiary', () => Promise.resolve({ beneficiary: { lastName: 'Lovelace' } })],
  ])('takes another %s for another request', async (_field, change) => {
    const given = input({ externalRef: 'one', metadata: { order: '7' } });
    await createPayout(world.call, given);
    const changed = { ...given, ...(await change()) };
    const before = await counts();
    expect(await codeOf(createPayout(world.call, changed))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await counts()).toEqual(before);
  });

  it('is free again after IDEMPOTENCY_HOURS, and then held by its new content', async () => {
    const call = withSettings(world.call, { IDEMPOTENCY_HOURS: 2 });
    const given = input();
    const first = await createPayout(call, given);
    const age = (minutes: number) =>
      world.sql(
        `UPDATE payout_idempotency SET created_at = now() - make_interval(mins => $2) WHERE idempotency_key = $1`,
        [given.idempotencyKey, minutes],
      );
    await age(119);
    expect((await createPayout(call, given)).replayed).toBe(true);
    await age(121);
    const changed = { ...given, amountMinor: 777 };
    const second = await createPayout(call, changed);
    expect(second.replayed).toBe(false);
    expect(second.payout?.id).not.toBe(first.payout?.id);
    expect((await createPayout(call, changed)).payout?.id).toBe(second.payout?.id);
    expect(await codeOf(createPayout(call, given))).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

/** Another payee of the same tenant. */
const other = () => makePayee(world.harness, world.tenant.key);
