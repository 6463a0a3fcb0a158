import { beforeEach, expect, it } from 'vitest';
import { newId } from '../../../src/values/ids.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../../support/factory.ts';
import { useHarness } from '../../support/use-harness.ts';

let tenant: TestTenant;
let payee: TestPayee;

const harness = useHarness({ worker: false });
beforeEach(async () => {
  tenant = await makeTenant(harness);
  payee = await makePayee(harness, tenant.key);
});

const sql = (text: string, values: unknown[] = []) => harness.database.pool.query(text, values);
const beneficiary = (change: string) =>
  sql(`UPDATE beneficiary SET ${change} WHERE id = $1`, [payee.beneficiaryId]);
const account = (change: string) =>
  sql(`UPDATE bank_account SET ${change} WHERE id = $1`, [payee.bankAccountId]);

async function created(more: object = {}, key = tenant.key) {
  const answer = await harness.rest('POST', '/v1/payouts', {
    key,
    body: payoutBody(payee, { ...more }),
  });
  return [answer.status, answer.body.error?.code ?? answer.body.payout.state];
}

it.each([
  ['pending', `compliance_status = 'pending'`],
  ['suspended', `compliance_status = 'suspended', status_before_suspension = 'compliant'`],
])('stops a payout to a payee whose compliance is %s', async (_status, change) => {
  await beneficiary(change);
  expect(await created()).toEqual([422, 'BENEFICIARY_NOT_COMPLIANT']);
});

it.each(['rejected', 'suspended', 'closed'])(
  'stops a payout to a payee whose enrollment is %s',
  async (status) => {
    await beneficiary(`enrollment_status = '${status}'`);
    expect(await created()).toEqual([422, 'BENEFICIARY_ENROLLMENT_FAILED']);
  },
);

it.each(['pending', 'verified'])('lets one pass whose enrollment is %s', async (status) => {
  await beneficiary(`enrollment_status = '${status}'`);
  expect(await created()).toEqual([201, 'pending_approval']);
});

it('stops a payout to an account that the rail refused, and says why', async () => {
  await account(`rail_rejection_reason = 'closed at the bank'`);
  const { status, body } = await harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(payee),
  });
  expect([status, body.error.code]).toEqual([422, 'BANK_ACCOUNT_RAIL_REJECTED']);
  expect(body.error.message).toContain('closed at the bank');
});

it('stops a payout that replaces what is not there, not at its end, or replaced already', async () => {
  const unknown = newId('payout');
  expect(await created({ replaces_payout_id: unknown })).toEqual([
    422,
    'PREDECESSOR_NOT_REPLACEABLE',
  ]);
  const { body } = await harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(payee),
  });
  const replacing = { replaces_payout_id: body.payout.id };
  expect(await created(replacing)).toEqual([422, 'PREDECESSOR_NOT_REPLACEABLE']);
  // The database lets no state go without its record; here it stands for a failure.
  await sql(
    `SET session_replication_role = replica;
     UPDATE payout SET state = 'failed' WHERE id = '${body.payout.id}';
     RESET session_replication_role`,
  );
  expect(await created(replacing)).toEqual([201, 'pending_approval']);
  expect(await created(replacing)).toEqual([422, 'PREDECESSOR_ALREADY_REPLACED']);
});

it('names what differs where the currency is not that of the account', async () => {
  const body = payoutBody(payee, { currency: 'EUR' });
  const answer = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
  expect(answer.status).toBe(422);
  expect(answer.body.error).toMatchObject({
    code: 'unprocessable_entity',
    details: [
      {
        field: 'currency',
        code: 'currency_mismatch',
        message: "The currency differs from the bank account's.",
      },
    ],
  });
});

it('asks for funds in the sandbox alone, and more than none', async () => {
  await sql('UPDATE funding_account SET available_balance_minor = 0 WHERE tenant_id = $1', [
    tenant.tenantId,
  ]);
  expect(await created()).toEqual([422, 'SANDBOX_WALLET_UNFUNDED']);
  await sql('UPDATE funding_account SET available_balance_minor = 1 WHERE tenant_id = $1', [
    tenant.tenantId,
  ]);
  expect(await created()).toEqual([201, 'pending_approval']);
  tenant = await makeTenant(harness, { environment: 'production', funded: false });
  payee = await makePayee(harness, tenant.key);
  expect(await created()).toEqual([201, 'pending_approval']);
});

it('tells of the first gate that refuses, whatever else refuses too', async () => {
  const other = await makePayee(harness, tenant.key);
  await sql('UPDATE funding_account SET available_balance_minor = 0 WHERE tenant_id = $1', [
    tenant.tenantId,
  ]);
  await beneficiary(
    `archived_at = now(), compliance_status = 'pending', reacknowledgment_required = true,
     enrollment_status = 'closed'`,
  );
  await account(
    `beneficiary_id = '${other.beneficiaryId}', status = 'pending_verification',
     validation_status = 'unvalidated', rail_rejection_reason = 'no'`,
  );
  const everything = {
    beneficiary: { last_name: 'Byron' },
    currency: 'EUR',
    replaces_payout_id: newId('payout'),
    validator_strategy: 'auto',
  };
  const code = async () => (await created(everything))[1] as string;
  const steps: [string, () => unknown][] = [
    ['BENEFICIARY_ARCHIVED', () => beneficiary('archived_at = NULL')],
    ['BENEFICIARY_NOT_COMPLIANT', () => beneficiary(`compliance_status = 'compliant'`)],
    [
      'BENEFICIARY_REACKNOWLEDGMENT_REQUIRED',
      () => beneficiary('reacknowledgment_required = false'),
    ],
    ['BENEFICIARY_MISMATCH', () => (everything.beneficiary.last_name = 'Lovelace')],
    [
      'BANK_ACCOUNT_BENEFICIARY_MISMATCH',
      () => account(`beneficiary_id = '${payee.beneficiaryId}'`),
    ],
    ['BANK_ACCOUNT_NOT_VERIFIED', () => account(`status = 'verified'`)],
    ['BANK_ACCOUNT_NOT_VALIDATED', () => account(`validation_status = 'validated'`)],
    ['BANK_ACCOUNT_RAIL_REJECTED', () => account('rail_rejection_reason = NULL')],
    ['BENEFICIARY_ENROLLMENT_FAILED', () => beneficiary(`enrollment_status = 'verified'`)],
    ['unprocessable_entity', () => (everything.currency = 'USD')],
    ['PREDECESSOR_NOT_REPLACEABLE', () => Reflect.deleteProperty(everything, 'replaces_payout_id')],
    [
      'SANDBOX_WALLET_UNFUNDED',
      () =>
        sql('UPDATE funding_account SET available_balance_minor = 1 WHERE tenant_id = $1', [
          tenant.tenantId,
        ]),
    ],
  ];
  for (const [expected, mend] of steps) {
    expect(await code()).toBe(expected);
    await mend();
  }
  expect(await code()).toBe('approved');
});
