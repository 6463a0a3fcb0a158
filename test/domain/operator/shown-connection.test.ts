import { expect, it } from 'vitest';
import { z } from 'zod';
import type { BankConnection } from '../../../src/domain/bank-connection/store.ts';
import { jobScope } from '../../../src/access/system.ts';
import { draftConnection } from '../../../src/domain/bank-connection/draft.ts';
import { connectionDraft, connectionFacts } from '../../../src/domain/bank-connection/input.ts';
import { madeOf } from '../../../src/domain/bank-connection/shown.ts';
import { makeTenant } from '../../support/factory.ts';
import { useHarness } from '../../support/use-harness.ts';

/* A second operator is shown all that an order for a connection gives. */

const harness = useHarness({ worker: false });

/** An order that gives each field, each with a value of its own. */
const given = {
  name: 'Hausbank',
  debtorName: 'Engines GmbH',
  debtorAddress: {
    street: 'Long Street',
    buildingNumber: '7b',
    postalCode: '10115',
    town: 'Berlin',
    region: 'BE',
    country: 'DE',
  },
  account: {
    country: 'DE',
    currency: 'EUR',
    iban: 'DE02120300000000202051',
    bic: 'BYLADEM1001',
    sortCode: '102030',
    abaNumber: '021000021',
    type: 'checking',
  },
  furtherAccounts: [
    {
      country: 'US',
      currency: 'USD',
      number: '123456789',
      bic: 'CHASUS33XXX',
      sortCode: '405060',
      abaNumber: '021000089',
      type: 'savings',
    },
    { country: 'AT', currency: 'CHF', iban: 'AT611904300234573201' },
  ],
  initiatorId: 'INITIATOR',
  ach: {
    destinationName: 'DESTINATION',
    originId: 'ORIGIN1',
    originName: 'ORIGIN NAME',
    companyId: 'COMPANY1',
    companyName: 'COMPANY NAME',
    entryDescription: 'SALARIES',
    balanced: true,
  },
  schemes: ['sepa_credit_transfer', 'ach'],
  formatOptions: [
    {
      scheme: 'sepa_credit_transfer',
      serviceLevel: 'SEPA',
      localInstrument: 'INST',
      chargeBearer: 'SLEV',
      batchBooking: true,
      purposeCodes: false,
      bicOutsideEea: true,
    },
  ],
  expectedFormats: ['camt_052', 'pdf'],
  cutOffTime: '16:31',
  timeZone: 'Europe/Berlin',
  calendar: 'target',
  leadBankDays: 2,
  returnBankDays: 6,
  maxPayments: 987,
} as const;

const sftp = {
  kind: 'sftp',
  host: 'sftp.bank.example',
  port: 2222,
  username: 'login',
  hostKey: `SHA256:${'A'.repeat(43)}`,
  outFolder: 'there',
  inFolder: 'back',
  password: 'a password',
  privateKey: 'a private key',
  passphrase: 'a passphrase',
} as const;
const folder = { kind: 'folder', folder: 'a/folder' } as const;

/** What is not shown: the business and the reason stand beside it, numbers are masked, and the rest are secrets. */
const leftOut = [
  'businessId',
  'reason',
  'account.iban',
  'account.number',
  'furtherAccounts.iban',
  'furtherAccounts.number',
  'transport.password',
  'transport.privateKey',
  'transport.passphrase',
];

/** Each field that a schema takes, with those inside. */
function fieldsOf(schema: z.core.JSONSchema.BaseSchema, path: string): string[] {
  const { properties, items, anyOf, oneOf } = schema;
  const inside = [...(anyOf ?? []), ...(oneOf ?? []), ...(items === undefined ? [] : [items])];
  const deeper = inside.flat().flatMap((part) => fieldsOf(part as typeof schema, path));
  const own = Object.entries(properties ?? {}).flatMap(([name, part]) =>
    fieldsOf(part as typeof schema, path === '' ? name : `${path}.${name}`),
  );
  return [...(path === '' ? [] : [path]), ...deeper, ...own];
}

/** Each field that has a value. */
function valuesOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesOf(one, path));
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([name, one]) =>
    valuesOf(one, path === '' ? name : `${path}.${name}`),
  );
  return [path, ...inside];
}

it('is given by these tests with each field that it may have', () => {
  const schema = z.toJSONSchema(connectionDraft, { io: 'input', unrepresentable: 'any' });
  const values = [given, { transport: sftp }, { transport: folder }].flatMap((part) =>
    valuesOf(part, ''),
  );
  const fields = new Set(fieldsOf(schema, ''));
  expect(fields.size).toBeGreaterThan(60);
  // A connection has one of the two.
  const others = ['businessId', 'reason', 'account.number'];
  expect([...fields].filter((field) => !values.includes(field)).sort()).toEqual(others.sort());
});

/** Without what is left out. */
function visible(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((one) => visible(one, path));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const field = path === '' ? name : `${path}.${name}`;
    return leftOut.includes(field) ? [] : [[name, visible(one, field)] as const];
  });
  return Object.fromEntries(entries);
}

it.each([
  [sftp, 'given'],
  [folder, 'none'],
] as const)(
  'is shown with each field but those that are named, by %o',
  async (transport, credentials) => {
    const { tenantId } = await makeTenant(harness, { environment: 'production' });
    const { services } = harness;
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'test' });
    // The banks that take all of this together do not exist.
    const providers = Object.assign(
      Object.create(services.providers) as typeof services.providers,
      {
        fileFaults: () => Promise.resolve([]),
      },
    );
    const config = { ...services.config, BANK_FOLDERS: '/banks' };
    const call = { scope, services: { ...services, providers, config } };
    const row = await draftConnection(call, connectionFacts.parse({ ...given, transport }));
    const [option] = given.formatOptions;
    const { scheme, ...options } = option;
    const [dollars, francs] = given.furtherAccounts;
    expect(madeOf(call, row as BankConnection)).toEqual({
      ...(visible({ ...given, transport }, '') as object),
      account: { ...(visible(given.account, 'account') as object), last4: '2051' },
      furtherAccounts: [
        { ...(visible(dollars, 'furtherAccounts') as object), last4: '6789' },
        { ...(visible(francs, 'furtherAccounts') as object), last4: '3201' },
      ],
      formatOptions: { [scheme]: options },
      credentials,
    });
  },
);
