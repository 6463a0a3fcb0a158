import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useBankWorld } from '../../support/bank-world.ts';
import type { TestPayee } from '../../support/factory.ts';

const world = useBankWorld();

/** A person with an account abroad and an address, which every ISO 20022 scheme asks for. */
async function payeeIn(
  country: string,
  city: string,
  account: Record<string, unknown>,
): Promise<TestPayee> {
  const { rest } = world.harness;
  const { key } = world.tenant;
  const created = await rest('POST', '/v1/beneficiaries', {
    key,
    body: {
      beneficiary_type: 'person',
      email: `grace-${city.toLowerCase()}@example.com`,
      first_name: 'Grace',
      last_name: 'Hopper',
      country_of_residence: country,
      date_of_birth: '1990-04-01',
      acknowledged: true,
      postal_address: { line1: '1 High Street', city, postal_code: '10115', country },
    },
  });
  expect(created.text).toContain('"id"');
  const beneficiaryId: string = created.body.beneficiary.id;
  const made = await rest('POST', `/v1/beneficiaries/${beneficiaryId}/bank-accounts`, {
    key,
    body: { account_holder_name: 'Grace Hopper', country, ...account },
  });
  expect(made.text).toContain('"id"');
  return { beneficiaryId, bankAccountId: made.body.bank_account.id };
}

const french = { currency: 'EUR', iban: 'FR1420041010050500013M02606' };
const british = { currency: 'GBP', iban: 'GB29NWBK60161331926819' };
const swiss = { currency: 'CHF', iban: 'CH9300762011623852957', swift_bic: 'UBSWCHZH80A' };

it.each([
  ['SEPA', 'sepa_credit_transfer', 'FR', 'Paris', french],
  ['SEPA Instant', 'sepa_instant', 'FR', 'Paris', french],
  ['the UK', 'uk_domestic', 'GB', 'London', british],
  ['another currency abroad', 'cross_border', 'CH', 'Bern', swiss],
  ['another currency from its own account', 'cross_border', 'CH', 'Basel', swiss, ['USD', 'CHF']],
] as const)('pays into %s the whole way', async (...given) => {
  const [_where, scheme, country, city, account, furtherCurrencies] = given;
  world.bank.connection = await world.connect({
    country: scheme === 'uk_domestic' ? 'GB' : 'DE',
    schemes: [scheme],
    furtherCurrencies,
  });
  await world.routeTo(world.bank.connection);
  const payee = await payeeIn(country, city, account);
  const { currency } = account;
  const ids = [await world.waiting(payee, { currency }), await world.waiting(payee, { currency })];
  await world.close();
  const [batch] = await world.batches();
  expect(batch).toMatchObject({ scheme, currency, payment_count: 2, payouts: ids });
  const name = batch?.file_name ?? '';
  expect(name).toMatch(/^pain001-bbt_[a-z0-9]+\.xml$/);
  await world.send(batch?.id ?? '');
  const xml = await readFile(join(world.out(), name), 'utf8');
  expect(xml).toContain('urn:iso:std:iso:20022:tech:xsd:pain.001.001.09');
  expect(xml).toContain(`<MsgId>${batch?.message_id ?? ''}</MsgId>`);
  expect(xml).toContain('<NbOfTxs>2</NbOfTxs>');
  expect(xml).toContain('<CtrlSum>2500.00</CtrlSum>');
  // The account in the currency of the payments, or else the first, whatever it pays in.
  const from = furtherCurrencies === undefined && scheme === 'cross_border' ? 'EUR' : currency;
  expect(xml).toContain(`<Ccy>${from}</Ccy>`);
  expect(xml.split(`<InstdAmt Ccy="${currency}">1250.00</InstdAmt>`)).toHaveLength(3);
  expect(xml).toContain(`<TwnNm>${city}</TwnNm>`);
  const rows = await world.sql<{ end_to_end_id: string; instruction_id: string; uetr: string }>(
    'SELECT end_to_end_id, instruction_id, uetr FROM bank_payment ORDER BY position',
  );
  for (const { end_to_end_id, instruction_id, uetr } of rows) {
    expect(xml).toContain(`<EndToEndId>${end_to_end_id}</EndToEndId>`);
    expect(xml).toContain(`<InstrId>${instruction_id}</InstrId>`);
    expect(uetr).toMatch(/^[0-9a-f-]{36}$/);
  }
  for (const id of ids) {
    expect(await world.attempts(id)).toMatchObject([{ status: 'submitted' }]);
  }
  expect(await world.batches()).toMatchObject([{ status: 'sent' }]);
});

it('asks for the BIC of a bank outside of the EEA before a SEPA payment is made', async () => {
  world.bank.connection = await world.connect({ country: 'DE', schemes: ['sepa_instant'] });
  await world.routeTo(world.bank.connection);
  const sterling = { currency: 'EUR', iban: 'GB29NWBK60161331926819' };
  const without = await payeeIn('GB', 'London', sterling);
  await expect(world.waiting(without, { currency: 'EUR' })).rejects.toThrow(
    /"field":"swift_bic","code":"bank_missing"/,
  );
  const named = await payeeIn('GB', 'Leeds', { ...sterling, swift_bic: 'NWBKGB2L' });
  await world.waiting(named, { currency: 'EUR' });
  await world.close();
  expect(await world.batches()).toMatchObject([{ scheme: 'sepa_instant', payment_count: 1 }]);
});
