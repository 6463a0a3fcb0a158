import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { isValidIBAN } from 'ibantools';
import { countryCodes } from '../../../../src/reference/countries.ts';
import { purposesOfPayment } from '../../../../src/reference/purposes.ts';
import type {
  Account,
  Agent,
  CreditTransfer,
  CreditTransferFile,
  CreditTransferGroup,
  Scheme,
} from '../../../../src/providers/bank/iso20022/write-types.ts';
import { newId } from '../../../../src/values/ids.ts';
import { anyText } from './texts.ts';

/** The IBAN of a country and an account part, with its check digits (ISO 7064, mod 97). */
function ibanOf(country: string, bban: string): string {
  const digits = [...`${bban}${country}00`].map((sign) => parseInt(sign, 36)).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`;
}

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`));

const germanIban = digits(18).map((bban) => ibanOf('DE', bban));
const swissIban = digits(17).map((bban) => ibanOf('CH', bban));
const britishIban = digits(14).map((bban) => ibanOf('GB', `NWBK${bban}`));
const arabianIban = digits(20).map((bban) => ibanOf('SA', bban));
const sepaIban = fc.oneof(germanIban, swissIban, britishIban).filter((iban) => isValidIBAN(iban));

const bic = fc.constantFrom('DEUTDEFF', 'NWBKGB2L', 'CHASUS33XXX', 'NCBKSAJE');
const abaNumber = fc.constantFrom('021000021', '031300012', '121042882');

interface Destination {
  readonly account: Account;
  readonly bank?: Agent | undefined;
}

/** Where each scheme can pay to. */
const destinations: Readonly<Record<Scheme, fc.Arbitrary<Destination>>> = {
  sepa_credit_transfer: fc.oneof(
    fc.record({ account: fc.record({ iban: germanIban.filter((iban) => isValidIBAN(iban)) }) }),
    fc.record({ account: fc.record({ iban: sepaIban }), bank: fc.record({ bic }) }),
  ),
  sepa_instant: fc.record({ account: fc.record({ iban: sepaIban }), bank: fc.record({ bic }) }),
  uk_domestic: fc.oneof(
    fc.record({ account: fc.record({ iban: britishIban }) }),
    fc.record({
      account: fc.record({ number: digits(8) }),
      bank: fc.record({ sortCode: digits(6) }),
    }),
  ),
  us_wire: fc.record({
    account: fc.record({ number: fc.stringMatching(/^[0-9]{4,17}$/) }),
    bank: fc.record({ abaNumber }),
  }),
  cross_border: fc.record({
    account: fc.oneof(
      fc.record({ iban: arabianIban }),
      fc.record({ number: fc.stringMatching(/^[0-9A-Z]{5,34}$/) }),
    ),
    bank: fc.record({ bic }),
  }),
};

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const address = fc.record({
  street: maybe(anyText),
  buildingNumber: maybe(fc.stringMatching(/^[0-9]{1,4}[a-z]?$/)),
  lines: maybe(fc.array(anyText, { maxLength: 2 })),
  postalCode: maybe(fc.stringMatching(/^[0-9A-Z -]{3,9}$/)),
  town: anyText,
  region: maybe(anyText),
  country: fc.constantFrom(...countryCodes),
});

/** A payment to somebody of any script. Its texts may be such that no bank takes it. */
export function anyPayment(scheme: Scheme): fc.Arbitrary<CreditTransfer> {
  const outside = !scheme.startsWith('sepa_');
  return fc
    .record({
      destination: destinations[scheme],
      amountMinor: fc.bigInt({ min: 1n, max: 100_000_000n }),
      creditor: fc.record({
        name: anyText,
        address: scheme === 'us_wire' || scheme === 'cross_border' ? address : maybe(address),
      }),
      purpose: maybe(fc.constantFrom(...purposesOfPayment)),
      message: maybe(anyText),
    })
    .map(({ destination, ...rest }) => ({
      ...rest,
      ...destination,
      ...aPayment(),
      uetr: outside ? randomUUID() : undefined,
    }));
}

const aPayment = () => ({ payoutId: newId('payout'), attemptId: newId('disbursementAttempt') });

/** A payment that every bank of SEPA takes. */
export const goodPayment = (): CreditTransfer => ({
  ...aPayment(),
  amountMinor: 12_345n,
  creditor: { name: 'Ana Lima', address: { lines: ['Rua A 1'], town: 'Lisboa', country: 'PT' } },
  account: { iban: 'DE89370400440532013000' },
  purpose: 'payroll',
  message: 'March',
});

export const goodGroup = (
  payments: readonly CreditTransfer[],
  other: Partial<CreditTransferGroup> = {},
): CreditTransferGroup => ({
  id: 'batch-1-sepa',
  scheme: 'sepa_credit_transfer',
  currency: 'EUR',
  executionDate: '2026-11-23',
  calendar: 'target',
  debtor: {
    name: 'Acme GmbH',
    address: {
      street: 'Allee',
      buildingNumber: '1',
      postalCode: '10115',
      town: 'Berlin',
      country: 'DE',
    },
  },
  account: { iban: 'DE89370400440532013000' },
  bank: { bic: 'DEUTDEFF' },
  payments: () => payments,
  ...other,
});

export const goodFile = (
  groups: readonly CreditTransferGroup[],
  other: Partial<CreditTransferFile> = {},
): CreditTransferFile => ({
  messageId: 'batch-1',
  createdAt: new Date('2026-11-23T08:15:30.123Z'),
  initiator: { name: 'Acme GmbH', id: 'CUSTOMER1' },
  groups,
  ...other,
});

/** All that a writer yields. */
export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('');
}
