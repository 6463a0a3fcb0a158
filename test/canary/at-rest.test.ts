import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { startHarness, type Harness, type RestAnswer } from '../support/harness.ts';
import { everythingAtRest, keepFinishedJobs, spellings } from './support.ts';
import { startReceiver, type WebhookReceiver } from '../support/receiver.ts';
import { eventually, makeTenant, payoutBody, type TestTenant } from '../support/factory.ts';

/**
 * Planted values that may be nowhere in clear: what payees tell about themselves but their names, keys, secrets.
 * Each flow plants some more; at the end everything at rest and every log line is searched for all.
 */
const canaries = new Map<string, string>();

function plant(name: string, value: string): string {
  canaries.set(name, value);
  return value;
}

const encryptionKey = plant('encryption key', randomBytes(32).toString('base64'));
const logged: string[] = [];
/** Texts of error answers, and the bodies that webhooks carried. */
const told: string[] = [];
let harness: Harness;
let receiver: WebhookReceiver;
let tenant: TestTenant;

beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({
    env: {
      ENCRYPTION_KEYS: `k1:${encryptionKey}`,
      WEBHOOK_EXTRA_CA_FILE: receiver.caFile,
      PROVIDER_TIMEOUT_MS: '400',
      ENROLL_WAIT_MS: '2500',
    },
  });
  // Everything that the service can log at all, at its most talkative.
  const { log, config } = harness.services;
  log.level = 'trace';
  Object.assign(log, { [pino.symbols.streamSym]: { write: (line: string) => logged.push(line) } });
  plant("the simulator's key", config.SIMULATOR_API_KEY);
  plant("the simulator's webhook secret", config.SIMULATOR_WEBHOOK_SECRET);
  await keepFinishedJobs(harness.database.pool);
  tenant = await makeTenant(harness);
  plantKey('API key', tenant.key);
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

/** A key is as good as its secret part. */
function plantKey(name: string, key: string): void {
  plant(name, key);
  plant(`secret of the ${name}`, key.slice(-49));
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RestAnswer> {
  const answer = await harness.rest(method, path, { key: tenant.key, body, headers });
  if (answer.status >= 400) told.push(answer.text);
  return answer;
}

async function created(path: string, body: unknown): Promise<RestAnswer['body']> {
  const answer = await send('POST', path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function faults(given: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${harness.simulatorUrl}/control/faults`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${harness.services.config.SIMULATOR_API_KEY}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(given),
  });
  expect(answer.ok).toBe(true);
}

let people = 0;

function person(more: Record<string, unknown> = {}) {
  people += 1;
  return {
    beneficiary_type: 'person',
    email: plant(`address ${people}`, `canary-${people}@example.com`),
    phone: plant(`phone ${people}`, `+1 202 555 ${7_300 + people}`),
    postal_address: {
      line1: plant(`street ${people}`, `${people} Canary Row`),
      city: plant(`city ${people}`, `Canaryville ${people}`),
      country: 'US',
    },
    first_name: 'Ada',
    last_name: 'Lovelace',
    country_of_residence: 'US',
    // No date of any row can be it, and each person has another.
    date_of_birth: plant(`birth date ${people}`, `19${40 + people}-03-19`),
    tax_id: plant(`tax id ${people}`, `CANARY-TAX-${people}-NUMBER`),
    acknowledged: true,
    ...more,
  };
}

const holder = { account_holder_name: plant('account holder', 'Augusta Ada Canary-King') };
const routing = plant('routing code', '091000019');
const us = (accountNumber: string) => ({
  ...holder,
  country: 'US',
  currency: 'USD',
  routing_code: routing,
  account_number: plant(`account ${accountNumber}`, accountNumber),
});

async function payee(accountNumber: string) {
  const { beneficiary } = await created('/v1/beneficiaries', person());
  const accounts = `/v1/beneficiaries/${beneficiary.id}/bank-accounts`;
  const { bank_account: account } = await created(accounts, us(accountNumber));
  return { beneficiaryId: beneficiary.id as string, bankAccountId: account.id as string };
}

async function pay(of: { beneficiaryId: string; bankAccountId: string }): Promise<string> {
  const { payout } = await created('/v1/payouts', payoutBody(of));
  const approved = await send('POST', `/v1/payouts/${payout.id}/approve`, {});
  expect(approved.status, approved.text).toBe(200);
  return payout.id as string;
}

const ended = (id: string, state: string) =>
  eventually(async () => (await send('GET', `/v1/payouts/${id}`)).body.payout.state === state);

function found(haystack: string): string[] {
  const text = haystack.toLowerCase();
  const unspaced = text.replaceAll(' ', '');
  return [...canaries].flatMap(([name, value]) =>
    spellings(value).some((one) => text.includes(one) || unspaced.includes(one)) ? [name] : [],
  );
}

it('lets nothing lie in clear after the whole life of payees and payouts', async () => {
  await payeesAndAccounts();
  await company();
  await subscription();
  await enrollments();
  await payouts();
  await refusals();
  await brokenRows();

  expect(canaries.size).toBeGreaterThan(40);
  const atRest = await everythingAtRest(harness.database.pool);
  // The search itself works: what may be there is found.
  expect(atRest).toContain('Engines Ltd');
  expect(atRest).toContain('every_job');
  expect(atRest).toContain(Buffer.from([1, 2]).toString('hex'));
  expect(found(`\\x${Buffer.from('CANARY-TAX-1-NUMBER').toString('hex')}`)).toEqual(['tax id 1']);
  expect(logged.length).toBeGreaterThan(50);
  expect(logged.some((line) => line.includes('"level":"debug"'))).toBe(true);

  expect(found(atRest), 'in the database').toEqual([]);
  expect(found(logged.join('\n')), 'in the log').toEqual([]);
  expect(found(told.join('\n')), 'in errors').toEqual([]);
  const sent = receiver.received.map(({ rawBody }) => rawBody.toString());
  expect(sent.length).toBeGreaterThan(5);
  expect(found(sent.join('\n')), 'in webhooks').toEqual([]);
});

async function payeesAndAccounts(): Promise<void> {
  const registered = await harness.rest('POST', '/v1/registration', {
    body: { email: 'owner@canary-company.com', company_name: 'Canary Ltd' },
  });
  expect(registered.status).toBe(201);
  plantKey('registered key', registered.body.api_key.key as string);
  const operator = await issueOperatorKey(harness.database.pool, 'canary');
  plantKey("operator's key", operator.key);
  await harness.graphql(operator.key, '{ beneficiaries { edges { node { id } } } }');

  const { beneficiary } = await created('/v1/beneficiaries', person({ acknowledged: false }));
  const path = `/v1/beneficiaries/${beneficiary.id}`;
  await send('PUT', path, {
    date_of_birth: plant('changed birth date', '1931-11-23'),
    tax_id: plant('changed tax id', 'CANARY-TAX-CHANGED'),
  });
  await send('POST', `${path}/compliance-acknowledgment`);
  const accounts = `${path}/bank-accounts`;
  await created(accounts, {
    ...holder,
    country: 'DE',
    currency: 'EUR',
    iban: plant('German IBAN', 'DE89 3704 0044 0532 0130 00'),
    swift_bic: plant('BIC', 'COBADEFFXXX'),
  });
  await created(accounts, {
    ...holder,
    country: 'GB',
    currency: 'GBP',
    routing_code: plant('sort code', '601613'),
    account_number: plant('British account', '31926819'),
  });
  await created(accounts, {
    ...holder,
    country: 'MX',
    currency: 'MXN',
    clabe: plant('CLABE', '032180000118359719'),
  });
  await created(accounts, {
    ...holder,
    country: 'BR',
    currency: 'BRL',
    pix_key: plant('PIX key', 'pix.canary@example.net'),
  });
  const { bank_account: account } = await created(accounts, us('558811334477'));
  const changed = await send('PUT', `${accounts}/${account.id}`, us('558811334478'));
  expect(changed.status).toBe(200);

  await created('/v1/beneficiaries', {
    ...person(),
    bank_details: {
      ...holder,
      country: 'GB',
      currency: 'GBP',
      iban: plant('deprecated IBAN', 'GB29NWBK60161331926819'),
    },
  });
  const answer = await harness.graphql(
    tenant.key,
    `mutation ($input: BeneficiaryCreateInput!) { beneficiaryCreate(input: $input) { taxId dateOfBirth } }`,
    {
      input: {
        beneficiaryType: 'person',
        email: plant('address over GraphQL', 'canary-graphql@example.com'),
        firstName: 'Grace',
        lastName: 'Hopper',
        dateOfBirth: plant('birth date over GraphQL', '1906-12-09'),
        taxId: plant('tax id over GraphQL', 'CANARY-TAX-GRAPHQL'),
      },
    },
  );
  // They do come back to who may read them, so the canaries were really planted.
  expect(answer.body.data.beneficiaryCreate.taxId).toBe('CANARY-TAX-GRAPHQL');
  await send('DELETE', path);
}

async function company(): Promise<void> {
  const { beneficiary } = await created('/v1/beneficiaries', {
    beneficiary_type: 'business',
    email: plant("a company's address", 'canary-company@example.com'),
    business_name: 'Engines Ltd',
    registration_number: plant('registration number', 'CANARY-REG-1843'),
  });
  const changed = await send('PUT', `/v1/beneficiaries/${beneficiary.id}`, {
    email: plant('changed address', 'Canary-Changed@example.com'),
    phone: plant('changed phone', '+44 20 7946 0958'),
    registration_number: plant('changed registration number', 'CANARY-REG-1844'),
    postal_address: {
      line1: plant('changed street', '12 Canary Square'),
      city: 'London',
      country: 'GB',
    },
  });
  expect(changed.status, changed.text).toBe(200);
  const taken = await send('POST', '/v1/beneficiaries', {
    beneficiary_type: 'business',
    email: 'canary-changed@EXAMPLE.com',
    business_name: 'Other Engines Ltd',
  });
  expect(taken.text).toContain('BENEFICIARY_EMAIL_ALREADY_EXISTS');
  const invites = [
    {
      email: plant('invited address', 'canary-invited@example.com'),
      beneficiary_type: 'business',
      business_name: 'Invited Ltd',
    },
  ];
  const invited = await send('POST', '/v1/beneficiaries/collection-invites', { invites });
  expect(invited.body.summary).toMatchObject({ invited: 1 });
}

async function subscription(): Promise<void> {
  const events = ['payout.disbursement_submitted', 'payout.acknowledged', 'payout.disbursed'];
  for (const turn of ['first', 'rotated']) {
    const answer = await send('POST', '/v1/webhook-subscriptions', {
      url: receiver.url,
      enabled_events: [...events, 'payout.settled', 'payout.failed', 'payout.returned'],
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    const [whole, random] = /whsec_sandbox_([0-9a-f]{64})/.exec(answer.text) ?? [];
    plant(`${turn} webhook secret`, whole ?? expect.unreachable());
    plant(`random part of the ${turn} webhook secret`, random ?? expect.unreachable());
    const [, standard] = /"whsec_([A-Za-z0-9+/]{100,})"/.exec(answer.text) ?? [];
    plant(`${turn} webhook secret in base64`, standard ?? expect.unreachable());
  }
  await send('POST', '/v1/webhook-subscriptions/test', {});
}

async function enrollments(): Promise<void> {
  const enroll = ({ beneficiaryId }: { beneficiaryId: string }) =>
    send('POST', `/v1/beneficiaries/${beneficiaryId}/enroll`, {});
  expect((await enroll(await payee('558811334001'))).status).toBe(200);
  // The rail refuses it.
  expect((await enroll(await payee('558811330004'))).status).toBe(422);
  const unclear = ['error_before_accept', 'error_after_accept', 'drop_after_accept'];
  for (const [index, fault] of unclear.entries()) {
    await faults({ on: 'recipients', [fault]: 1 });
    expect([200, 202]).toContain((await enroll(await payee(`55881133410${index}`))).status);
  }
  // One is under way while the database is read: its payee is at rest, and its job waits.
  await faults({ on: 'recipients', silent: 100 });
  expect((await enroll(await payee('558811334003'))).status).toBe(202);
  const meanwhile = await everythingAtRest(harness.database.pool);
  expect(meanwhile).toContain('enroll_bank_account');
  expect(found(meanwhile)).toEqual([]);
  await faults({});
}

async function payouts(): Promise<void> {
  await ended(await pay(await payee('558811335001')), 'settled');
  await ended(await pay(await payee('558811330001')), 'failed');
  await ended(await pay(await payee('558811330002')), 'returned');
  for (const [index, fault] of ['refuse', 'error_after_accept', 'drop_after_accept'].entries()) {
    await faults({ on: 'payouts', [fault]: 1, repeat_events: 1 });
    const id = await pay(await payee(`55881133600${index}`));
    await ended(id, fault === 'refuse' ? 'failed' : 'settled');
  }
  await faults({});
}

/** What callers send by mistake must not be told to others either. */
async function refusals(): Promise<void> {
  const { beneficiaryId, bankAccountId } = await payee('558811337001');
  const accounts = `/v1/beneficiaries/${beneficiaryId}/bank-accounts`;
  const wrongIban = plant('wrong IBAN', 'DE00370400440532013999');
  const wrongTax = plant('misplaced tax id', 'CANARY-TAX-MISPLACED');
  const german = { ...holder, country: 'DE', currency: 'EUR' };
  const refused = [
    await send('POST', accounts, { ...german, iban: wrongIban }),
    await send('POST', accounts, { ...german, iban: wrongIban, account_number: [wrongIban] }),
    await send('PUT', `${accounts}/${bankAccountId}`, { ...german, iban: wrongIban }),
    await send('POST', '/v1/beneficiaries', { ...person(), tax_id: { value: wrongTax } }),
    await send('POST', '/v1/beneficiaries', { ...person(), date_of_birth: wrongTax }),
    await send('PUT', `/v1/beneficiaries/${beneficiaryId}`, { beneficiary_type: wrongTax }),
    // Text that is cut off, and a body that is no JSON.
    await send('POST', accounts, `{"iban": "${wrongIban}", "tax_id": "${wrongTax}`),
    await send('GET', `/v1/beneficiaries/${wrongIban}`),
    await send('GET', `/v1/beneficiaries?enrollment_status=${wrongTax}`),
    await send('GET', `/v1/nothing/${wrongIban}`),
    await send('GET', `/v1/beneficiaries?cursor=${wrongIban}`),
  ];
  expect(refused.map((answer) => answer.status)).toEqual(
    refused.map((_, index) => ([7, 9].includes(index) ? 404 : expect.toBeOneOf([400, 422]))),
  );
  const unknown = await harness.rest('GET', '/v1/beneficiaries', { key: `${tenant.key}x` });
  expect(unknown.status).toBe(401);
  told.push(unknown.text);
  const query = `{ beneficiary(id: "${wrongIban}") { id taxId nothing } }`;
  const graphql = [
    await harness.graphql(tenant.key, query),
    await harness.graphql(tenant.key, `{ beneficiary(id: "${wrongIban}") { taxId `),
    await harness.graphql(
      tenant.key,
      'mutation ($id: ID!, $i: BankAccountInput!) { bankAccountCreate(beneficiaryId: $id, input: $i) { id } }',
      { id: beneficiaryId, i: { ...german, iban: wrongIban } },
    ),
  ];
  for (const answer of graphql) {
    expect(answer.text).toContain('errors');
    told.push(answer.text);
  }
}

/** Faults of ours, where an error's message could carry what was being worked on. */
async function brokenRows(): Promise<void> {
  const of = await payee('558811338001');
  await harness.database.pool.query(
    `UPDATE bank_account_version SET identifiers_ciphertext = set_byte(identifiers_ciphertext, 40, 255 - get_byte(identifiers_ciphertext, 40))
     WHERE bank_account_id = $1`,
    [of.bankAccountId],
  );
  const answer = await send('POST', `/v1/beneficiaries/${of.beneficiaryId}/enroll`, {});
  expect(answer.status).toBe(202);
  await harness.database.pool.query(
    `UPDATE beneficiary SET tax_id_ciphertext = set_byte(tax_id_ciphertext, 40, 255 - get_byte(tax_id_ciphertext, 40)) WHERE id = $1`,
    [of.beneficiaryId],
  );
  expect((await send('GET', `/v1/beneficiaries/${of.beneficiaryId}`)).status).toBe(500);
  const { rows } = await harness.database.pool.query(
    'SELECT FROM every_job WHERE last_error IS NOT NULL',
  );
  expect(rows.length).toBeGreaterThan(0);
}
