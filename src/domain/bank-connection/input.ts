import { z } from 'zod';
import { bankSchemes } from '../../providers/bank-connection.ts';
import { otherFileKinds } from '../../providers/bank-other-kinds.ts';
import { bankCalendars } from '../../values/bank-days/calendars.ts';
import { isTimeOfDay } from '../../values/bank-days/zone.ts';
import { country, knownCurrency, optionalText, text } from '../../values/fields.ts';

const custom = (code: string, message: string) => ({ params: { code }, message });

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format();
    return true;
  } catch {
    return false;
  }
}

/** Absent and null say the same here: the parts of an object are given as a whole. */
const part = (maximum: number) => optionalText(maximum).transform((given) => given ?? undefined);

const debtorAddress = z.strictObject({
  street: part(70),
  buildingNumber: part(16),
  postalCode: part(16),
  town: text(35),
  region: part(35),
  country,
});

const debtorAccount = z
  .strictObject({
    country,
    currency: knownCurrency,
    iban: part(34),
    number: part(34),
    bic: part(11),
    sortCode: part(6),
    abaNumber: part(9),
    type: z
      .enum(['checking', 'savings'])
      .nullish()
      .transform((given) => given ?? undefined),
  })
  .refine(({ iban, number }) => (iban === undefined) !== (number === undefined), {
    path: ['iban'],
    ...custom('required', 'Either iban or number is required, and not both.'),
  });

/** Accounts beside the first, each in a currency of its own. */
const furtherAccounts = z
  .array(debtorAccount)
  .max(20)
  .refine(
    (given) => new Set(given.map(({ currency }) => currency)).size === given.length,
    custom('duplicate', 'Names a currency twice.'),
  );

const achIds = z.strictObject({
  destinationName: text(23),
  originId: text(10),
  originName: text(23),
  companyId: text(10),
  companyName: text(16),
  entryDescription: text(10),
  balanced: z.boolean(),
});

const formatOption = z.strictObject({
  scheme: z.enum(bankSchemes),
  serviceLevel: part(4),
  localInstrument: part(35),
  chargeBearer: z
    .enum(['SLEV', 'SHAR', 'DEBT', 'CRED'])
    .nullish()
    .transform((given) => given ?? undefined),
  batchBooking: z
    .boolean()
    .nullish()
    .transform((given) => given ?? undefined),
  purposeCodes: z
    .boolean()
    .nullish()
    .transform((given) => given ?? undefined),
  bicOutsideEea: z
    .boolean()
    .nullish()
    .transform((given) => given ?? undefined),
});

/** A folder on a server or in a mounted directory: no part of it leads upwards. */
const folder = text(200).refine(
  (path) => !path.split('/').includes('..') && !path.includes('\\'),
  custom('invalid_value', 'Must not lead upwards.'),
);
const relativeFolder = folder.refine(
  (path) => !path.startsWith('/'),
  custom('invalid_value', 'Must be a path below BANK_FOLDERS.'),
);

const sftp = z
  .strictObject({
    kind: z.literal('sftp'),
    host: text(253).refine(
      (host) => /^[A-Za-z0-9.:-]+$/.test(host),
      custom('invalid_format', 'Must be the name or the address of a server.'),
    ),
    port: z.int().min(1).max(65_535),
    username: text(100),
    hostKey: text(60).refine(
      (key) => /^SHA256:[A-Za-z0-9+/]{43}$/.test(key),
      custom('invalid_format', 'Must be a fingerprint as ssh-keygen -l prints it: SHA256:…'),
    ),
    outFolder: folder,
    inFolder: folder,
    password: part(255),
    privateKey: z
      .string()
      .max(20_000)
      .nullish()
      .transform((given) => given ?? undefined),
    passphrase: part(255),
  })
  .refine(({ privateKey, passphrase }) => passphrase === undefined || privateKey !== undefined, {
    path: ['passphrase'],
    ...custom('invalid_value', 'Opens a private key, and none is given.'),
  });

const transport = z.discriminatedUnion('kind', [
  sftp,
  z.strictObject({ kind: z.literal('folder'), folder: relativeFolder }),
  z.strictObject({ kind: z.literal('manual') }),
]);

const schemes = z
  .array(z.enum(bankSchemes))
  .min(1)
  .refine(
    (given) => new Set(given).size === given.length,
    custom('duplicate', 'Names a scheme twice.'),
  );

const changeable = {
  name: text(100),
  debtorName: text(140),
  debtorAddress,
  initiatorId: text(35).nullable(),
  ach: achIds.nullable(),
  schemes,
  formatOptions: z
    .array(formatOption)
    .max(bankSchemes.length)
    .transform((given) =>
      Object.fromEntries(given.map(({ scheme, ...options }) => [scheme, options])),
    ),
  furtherAccounts,
  expectedFormats: z.array(z.enum(otherFileKinds)).transform((given) => [...new Set(given)]),
  transport,
  cutOffTime: text(5).refine(isTimeOfDay, custom('invalid_format', 'Must be HH:MM.')),
  timeZone: text(64).refine(
    isZone,
    custom('invalid_value', 'Must be a zone of the IANA time zone database.'),
  ),
  calendar: z.enum(bankCalendars),
  leadBankDays: z.int().min(0).max(10),
  returnBankDays: z.int().min(1).max(90),
  maxPayments: z.int().min(1).max(10_000),
} as const;

const reason = text(1_000);

/** What a new connection is made of. */
export const connectionFacts = z.strictObject({
  ...changeable,
  account: debtorAccount,
  initiatorId: changeable.initiatorId.nullish().transform((given) => given ?? null),
  ach: changeable.ach.nullish().transform((given) => given ?? null),
  formatOptions: changeable.formatOptions.nullish().transform((given) => given ?? {}),
  furtherAccounts: furtherAccounts.nullish().transform((given) => given ?? []),
  expectedFormats: changeable.expectedFormats.nullish().transform((given) => given ?? []),
});

/** What an operator connects a production account with. */
export const connectionDraft = z.strictObject({
  ...connectionFacts.shape,
  businessId: text(),
  reason,
});
export type ConnectionDraft = z.input<typeof connectionDraft>;

/**
 * A change of a connection: what is absent stays. An account never changes: another one in the same currency is another
 * connection. Those in other currencies are added.
 */
export const connectionChange = z.strictObject({
  ...z.strictObject(changeable).partial().shape,
  businessId: text(),
  connectionId: text(),
  version: z.int().min(1),
  status: z.enum(['active', 'paused', 'closed']).optional(),
  reason,
});
export type ConnectionChange = z.input<typeof connectionChange>;

/** What an admin of a sandbox connects to the sandbox bank with; the rest follows from the currency. */
export const sandboxDraft = z.strictObject({
  name: text(100),
  currency: z.enum(['EUR', 'GBP', 'USD']),
  debtorName: text(70),
  furtherCurrencies: z.array(knownCurrency).max(20).nullish(),
  schemes: schemes.nullish(),
  cutOffTime: changeable.cutOffTime.nullish(),
  maxPayments: changeable.maxPayments.nullish(),
  returnBankDays: changeable.returnBankDays.nullish(),
});
export type SandboxDraft = z.input<typeof sandboxDraft>;

/** A change of a sandbox connection: what is absent stays. */
export const sandboxChange = z.strictObject({
  connectionId: text(),
  version: z.int().min(1),
  status: z.enum(['active', 'paused', 'closed']).nullish(),
  cutOffTime: changeable.cutOffTime.nullish(),
  maxPayments: changeable.maxPayments.nullish(),
  returnBankDays: changeable.returnBankDays.nullish(),
});
export type SandboxChange = z.input<typeof sandboxChange>;

/** A transport without what opens it, and what does. */
export function partTransport(given: z.output<typeof transport>): {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly credentials: Readonly<Record<string, string | undefined>> | null;
} {
  if (given.kind !== 'sftp') {
    const { kind: _kind, ...settings } = given;
    return { settings, credentials: null };
  }
  const { kind: _kind, password, privateKey, passphrase, ...settings } = given;
  const none = password === undefined && privateKey === undefined;
  return { settings, credentials: none ? null : { password, privateKey, passphrase } };
}
