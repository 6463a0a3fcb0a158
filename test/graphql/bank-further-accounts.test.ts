import { beforeAll, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { europeanBank, insertBank, sandboxBank } from '../support/banking.ts';
import { makeTenant } from '../support/factory.ts';
import { jobScope } from '../../src/access/system.ts';
import { findConnection } from '../../src/domain/bank-connection/store.ts';
import { openConnection } from '../../src/domain/bank-connection/open.ts';
import { accountFor } from '../../src/providers/bank-connection.ts';
import { useHarness } from '../support/use-harness.ts';

/* Connections with accounts in several currencies. */

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent', ...sandboxBank } });
let operator: string;
beforeAll(async () => {
  operator = (await issueOperatorKey(harness.database.pool, 'On call')).key;
});

const shown = 'accountCurrency furtherAccounts { country currency last4 }';

it('is made in the sandbox, with one number in each currency', async () => {
  const tenant = await makeTenant(harness);
  const connect = (furtherCurrencies: readonly string[]) =>
    harness.graphql(
      tenant.key,
      `mutation ($input: SandboxBankInput!) { sandboxBankConnect(input: $input) { id ${shown} } }`,
      { input: { name: 'Bank', currency: 'EUR', debtorName: 'Business', furtherCurrencies } },
    );
  const { body } = await connect(['CHF', 'KWD']);
  expect(body.data.sandboxBankConnect).toMatchObject({
    accountCurrency: 'EUR',
    furtherAccounts: [
      { country: 'DE', currency: 'CHF', last4: '2051' },
      { country: 'DE', currency: 'KWD', last4: '2051' },
    ],
  });
  for (const wrong of [['EUR'], ['CHF', 'CHF'], ['XXX']]) {
    const refused = await connect(wrong);
    expect(refused.body.errors?.[0].extensions.code, refused.text).toBe('validation_failed');
  }
  const { body: listed } = await harness.graphql(tenant.key, `{ bankConnections { id } }`);
  expect(listed.data.bankConnections).toHaveLength(1);
});

it('gets further accounts by an operator, encrypted, and pays each currency from its own', async () => {
  const tenant = await makeTenant(harness, { environment: 'production' });
  const { businessId, tenantId } = tenant;
  const id = await insertBank(harness, tenant, {});
  const change = (version: number, furtherAccounts: readonly object[], more: object = {}) =>
    harness.graphql(
      operator,
      `mutation ($businessId: ID!, $id: ID!, $version: Int!, $reason: String!, $accounts: [OperatorDebtorAccountInput!],
         $expected: [OperatorBankOtherFileKind!]) {
         operatorBankConnectionChange(businessId: $businessId, connectionId: $id, version: $version, reason: $reason,
           furtherAccounts: $accounts, expectedFormats: $expected) { connection { version ${shown} } } }`,
      {
        businessId,
        id,
        version,
        reason: 'the letter of the bank',
        accounts: furtherAccounts,
        ...more,
      },
    );
  const swiss = { country: 'DE', currency: 'CHF', iban: europeanBank.account.iban };
  const dollars = { country: 'US', currency: 'USD', number: '123456789', abaNumber: '021000021' };
  const added = await change(1, [swiss], { expected: ['camt_052', 'pdf'] });
  expect(added.body.data?.operatorBankConnectionChange, added.text).toEqual({
    connection: {
      version: 2,
      accountCurrency: 'EUR',
      furtherAccounts: [{ country: 'DE', currency: 'CHF', last4: '2051' }],
    },
  });
  expect((await change(2, [dollars])).body.errors).toBeUndefined();
  const again = await change(3, [swiss]);
  expect(again.body.errors?.[0].extensions).toMatchObject({
    code: 'validation_failed',
    details: [{ field: 'furtherAccounts', code: 'duplicate' }],
  });
  const unwritable = await change(3, [{ country: 'DE', currency: 'PLN', iban: 'DE00' }]);
  expect(unwritable.body.errors?.[0].extensions.code).toBe('validation_failed');
  const { rows } = await harness.database.pool.query<{ text: string }>(
    'SELECT c::text AS text FROM bank_connection c WHERE id = $1',
    [id],
  );
  expect(rows[0]?.text).not.toContain(europeanBank.account.iban);
  expect(rows[0]?.text).not.toContain('123456789');
  expect(rows[0]?.text).toContain('{camt_052,pdf}');
  const scope = await jobScope(harness.services.pool, tenantId, { type: 'system', name: 'test' });
  const row = await findConnection(harness.services.pool, scope, id);
  if (row === null) throw new Error('the connection is gone');
  const facts = openConnection({ scope, services: harness.services }, row);
  expect(accountFor(facts, 'CHF')).toMatchObject(swiss);
  expect(accountFor(facts, 'USD')).toMatchObject(dollars);
  expect(accountFor(facts, 'PLN')).toMatchObject(europeanBank.account);
});
