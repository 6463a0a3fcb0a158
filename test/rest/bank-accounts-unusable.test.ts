import { expect, test } from 'vitest';
import { connectBank, sandboxBank, setRoutes } from '../support/banking.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: sandboxBank });
const tenant = useTenant(harness);

const holder = { account_holder_name: 'Ada Lovelace' };
const british = { ...holder, country: 'GB', currency: 'GBP' };
const sortCode = { ...british, routing_code: '20-00-00', account_number: '55779911' };
const indian = { ...holder, country: 'IN', currency: 'INR', account_number: '50100012345678' };
const usual = {
  ...holder,
  country: 'US',
  currency: 'USD',
  routing_code: '021000021',
  account_number: '000123456780',
};

const owner = async (acknowledged = true) =>
  (await makePayee(harness, tenant.key, { acknowledged })).beneficiaryId;

async function register(beneficiary: string, body: unknown) {
  const path = `/v1/beneficiaries/${beneficiary}/bank-accounts`;
  const answer = await harness.rest('POST', path, { key: tenant.key, body });
  expect(answer.status).toBe(201);
  return answer.body.bank_account;
}

const verify = (beneficiary: string, account: string) =>
  harness.rest('POST', `/v1/beneficiaries/${beneficiary}/bank-accounts/${account}/verify`, {
    key: tenant.key,
  });

const refuseByRail = (account: string) =>
  harness.database.pool.query(
    `UPDATE bank_account SET rail_rejection_reason = 'The bank is closed.' WHERE id = $1`,
    [account],
  );

test.each([
  ['a UK sort code', sortCode, true, 'iban_required', /IBAN.*PUT \/v1\/beneficiaries/],
  ['a UK sort code of a pending owner', sortCode, false, 'iban_required', /IBAN/],
  [
    'a country without a check',
    indian,
    true,
    'country_not_supported',
    /United States or in a SEPA/,
  ],
  ['an owner who is not compliant', usual, false, 'not_verified', /compliance-acknowledgment/],
])(
  'the registration says why nothing can be paid: %s',
  async (_name, body, compliant, code, told) => {
    const beneficiary = await owner(compliant);
    const account = await register(beneficiary, body);
    expect(account).toMatchObject({ payout_usable: false, unusable_reason: { code } });
    expect(account.unusable_reason.message).toMatch(told);
    const path = `/v1/beneficiaries/${beneficiary}/bank-accounts`;
    const { bank_accounts } = (await harness.rest('GET', path, { key: tenant.key })).body;
    expect(bank_accounts).toContainEqual(account);
  },
);

test('a usable account has no reason, and one that the rail refused has that', async () => {
  const beneficiary = await owner();
  const { id, ...account } = await register(beneficiary, usual);
  expect(account).toMatchObject({ payout_usable: true, unusable_reason: null });
  await refuseByRail(id);
  const query = `query ($id: ID!) { beneficiary(id: $id) {
    bankAccounts { id payoutUsable unusableReason { code message } }
  } }`;
  const { data } = (await harness.graphql(tenant.key, query, { id: beneficiary })).body;
  expect(data.beneficiary.bankAccounts).toContainEqual({
    id,
    payoutUsable: false,
    unusableReason: { code: 'rail_rejected', message: expect.stringContaining('/enroll') },
  });
});

test('an account becomes usable by what its reason asks for', async () => {
  const beneficiary = await owner();
  const { id } = await register(beneficiary, sortCode);
  const path = `/v1/beneficiaries/${beneficiary}/bank-accounts/${id}`;
  const body = { ...british, iban: 'GB29 NWBK 6016 1331 9268 19' };
  const put = await harness.rest('PUT', path, { key: tenant.key, body });
  expect(put.body.bank_account).toMatchObject({ payout_usable: true, unusable_reason: null });
});

test('verify names what stands between a verified account and payouts', async () => {
  const beneficiary = await owner();
  const withoutIban = await register(beneficiary, sortCode);
  const usable = await register(beneficiary, usual);
  const told = async (account: string) => {
    const { status, body } = await verify(beneficiary, account);
    return [status, body.error.code, body.error.message];
  };
  expect(await told(withoutIban.id)).toEqual([
    422,
    'BANK_ACCOUNT_NOT_VALIDATED',
    withoutIban.unusable_reason.message,
  ]);
  expect((await told(usable.id)).slice(0, 2)).toEqual([409, 'BANK_ACCOUNT_NOT_PENDING']);
  await refuseByRail(usable.id);
  expect(await told(usable.id)).toEqual([
    422,
    'BANK_ACCOUNT_RAIL_REJECTED',
    'The payout rail refused this account: The bank is closed.',
  ]);
});

test('an enrollment of an account that cannot be paid says why', async () => {
  const beneficiary = await owner();
  const { id, unusable_reason } = await register(beneficiary, sortCode);
  const { status, body } = await harness.rest('POST', `/v1/beneficiaries/${beneficiary}/enroll`, {
    key: tenant.key,
    body: { bank_account_id: id },
  });
  expect([status, body.error.code]).toEqual([422, 'BANK_ACCOUNT_NOT_PAYOUT_USABLE']);
  expect(body.error.message).toBe(unusable_reason.message);
});

test('an account in a currency that no route pays says so, at its registration and later', async () => {
  const routed = await makeTenant(harness);
  const connectionId = await connectBank(harness, routed);
  await setRoutes(harness, routed, 0, [{ connectionId, currency: 'USD' }]);
  const payee = (await makePayee(harness, routed.key)).beneficiaryId;
  const path = `/v1/beneficiaries/${payee}/bank-accounts`;
  const body = { ...usual, currency: 'CAD' };
  const answer = await harness.rest('POST', path, { key: routed.key, body });
  expect(answer.status).toBe(201);
  const { id } = answer.body.bank_account;
  expect(answer.body.bank_account).toMatchObject({
    status: 'verified',
    payout_usable: true,
    unusable_reason: { code: 'no_route', message: expect.stringMatching(/CAD to US/) },
  });
  const { bank_accounts } = (await harness.rest('GET', path, { key: routed.key })).body;
  const codes = Object.fromEntries(
    bank_accounts.map((one: { currency: string; unusable_reason: { code: string } | null }) => [
      one.currency,
      one.unusable_reason?.code ?? null,
    ]),
  );
  expect(codes).toEqual({ USD: null, CAD: 'no_route' });
  // It is what a payout there is refused for.
  const payout = payoutBody({ beneficiaryId: payee, bankAccountId: id }, { currency: 'CAD' });
  const refused = await harness.rest('POST', '/v1/payouts', { key: routed.key, body: payout });
  expect(refused.body.error.code).toBe('PAYOUT_ROUTE_MISSING');
});
