import { builder } from '../builder.ts';
import {
  BankCalendarEnum,
  BankConnectionStatusEnum,
  BankSchemeEnum,
  BankTransportEnum,
} from '../bank/enums.ts';
import type { ExpectedFormat } from '../../src/domain/bank-connection/names.ts';
import { describedEnum } from '../common/described-enum.ts';

const DebtorAddressInput = builder.inputType('OperatorDebtorAddressInput', {
  description: 'The structured address of who pays.',
  fields: (t) => ({
    street: t.string({ description: 'Street, up to 70 characters.' }),
    buildingNumber: t.string({ description: 'Number of the building.' }),
    postalCode: t.string({ description: 'Postal code.' }),
    town: t.string({ required: true, description: 'Town.' }),
    region: t.string({ description: 'State, province or region.' }),
    country: t.string({ required: true, description: 'ISO 3166-1 alpha-2.' }),
  }),
});

const AccountTypeEnum = describedEnum<'checking' | 'savings'>(
  'OperatorDebtorAccountType',
  'The kind of an American account.',
  {
    checking: 'A checking account.',
    savings: 'A savings account.',
  },
);

const DebtorAccountInput = builder.inputType('OperatorDebtorAccountInput', {
  description: 'The account that is debited, and its bank. It is stored encrypted.',
  fields: (t) => ({
    country: t.string({ required: true, description: 'Country of the bank.' }),
    currency: t.string({ required: true, description: 'ISO 4217 code.' }),
    iban: t.string({ description: 'IBAN, without spaces.' }),
    number: t.string({ description: 'Account number, where there is no IBAN.' }),
    bic: t.string({ description: 'BIC of the bank.' }),
    sortCode: t.string({ description: 'UK: six digits.' }),
    abaNumber: t.string({ description: 'US: nine digits.' }),
    type: t.field({
      type: AccountTypeEnum,
      description: 'US: for the debit that balances a Nacha batch; checking where absent.',
    }),
  }),
});

const AchInput = builder.inputType('OperatorBankAchInput', {
  description: 'What the head of a Nacha file names. The bank gives these out.',
  fields: (t) => ({
    destinationName: t.string({ required: true, description: 'Name of the bank.' }),
    originId: t.string({ required: true, description: 'Immediate origin, 9 or 10 characters.' }),
    originName: t.string({ required: true, description: 'Name of the sender.' }),
    companyId: t.string({ required: true, description: 'Company id, 9 or 10 characters.' }),
    companyName: t.string({ required: true, description: 'What payees read of the sender.' }),
    entryDescription: t.string({ required: true, description: 'What payees read of a payment.' }),
    balanced: t.boolean({
      required: true,
      description: 'Whether a debit of the own account balances each batch.',
    }),
  }),
});

const ChargeBearerEnum = describedEnum<'SLEV' | 'SHAR' | 'DEBT' | 'CRED'>(
  'OperatorBankChargeBearer',
  'Who bears the charges of banks (ISO 20022).',
  {
    SLEV: 'As the scheme says.',
    SHAR: 'Each side its own.',
    DEBT: 'The debtor.',
    CRED: 'The creditor.',
  },
);

const FormatOptionInput = builder.inputType('OperatorBankFormatOptionInput', {
  description: 'What the bank wants otherwise than the usual form of a scheme.',
  fields: (t) => ({
    scheme: t.field({ type: BankSchemeEnum, required: true, description: 'The scheme.' }),
    serviceLevel: t.string({ description: 'SvcLvl/Cd.' }),
    localInstrument: t.string({ description: 'LclInstrm/Cd.' }),
    chargeBearer: t.field({ type: ChargeBearerEnum, description: 'ChrgBr.' }),
    batchBooking: t.boolean({ description: 'One debit for the batch, or one for each payment.' }),
    purposeCodes: t.boolean({ description: 'false for a bank that takes none.' }),
    bicOutsideEea: t.boolean({
      description:
        "false for a bank that needs no BIC of the payee's bank in SEPA payments with a country outside of the EEA.",
    }),
  }),
});

const OtherFileKindEnum = describedEnum<ExpectedFormat>(
  'OperatorBankOtherFileKind',
  'A kind of file that a bank may send and that is not read.',
  {
    camt_052: 'A report of an account within the day.',
    mt940: 'A statement as SWIFT wrote it before ISO 20022.',
    bai2: 'A statement as American banks write it.',
    pdf: 'A document for people.',
    zip: 'An archive.',
  },
);

const TransportInput = builder.inputType('OperatorBankTransportInput', {
  description:
    'How files go to the bank and come back. sftp: host, port, username, hostKey, outFolder, inFolder, and a password or a private key. folder: folder. manual: nothing.',
  fields: (t) => ({
    kind: t.field({ type: BankTransportEnum, required: true, description: 'The way.' }),
    host: t.string({ description: 'Name or address of the server.' }),
    port: t.int({ description: 'Port of the server.' }),
    username: t.string({ description: 'Login.' }),
    hostKey: t.string({ description: "Fingerprint of the server's key, SHA256:…" }),
    outFolder: t.string({ description: 'Folder of the server for files to the bank.' }),
    inFolder: t.string({ description: 'Folder of the server with files from the bank.' }),
    password: t.string({ description: 'Password. Stored encrypted and never shown.' }),
    privateKey: t.string({ description: 'Private key. Stored encrypted and never shown.' }),
    passphrase: t.string({ description: 'Of the private key.' }),
    folder: t.string({ description: 'Directory below BANK_FOLDERS.' }),
  }),
});

/** The fields that a connection is made of and that a change may name. */
const common = (required: boolean) =>
  builder.args((t) => ({
    name: t.string({ required, description: 'How people call it, up to 100 characters.' }),
    debtorName: t.string({ required, description: 'Who pays, as the bank knows them.' }),
    debtorAddress: t.field({
      type: DebtorAddressInput,
      required,
      description: 'Address of who pays.',
    }),
    schemes: t.field({
      type: [BankSchemeEnum],
      required,
      description: 'How the bank pays, in the order in which they are tried.',
    }),
    transport: t.field({ type: TransportInput, required, description: 'How files travel.' }),
    cutOffTime: t.string({ required, description: 'HH:MM on the clock of timeZone.' }),
    timeZone: t.string({ required, description: 'A zone of the IANA database.' }),
    calendar: t.field({ type: BankCalendarEnum, required, description: 'Whose bank days.' }),
    leadBankDays: t.int({ required, description: 'Bank days until execution, 0 to 10.' }),
    returnBankDays: t.int({ required, description: 'Bank days until settled, 1 to 90.' }),
    maxPayments: t.int({ required, description: 'Payments of a file, 1 to 10,000.' }),
    initiatorId: t.string({ description: 'The number under which the bank knows the sender.' }),
    ach: t.field({ type: AchInput, description: 'For the scheme ach.' }),
    formatOptions: t.field({
      type: [FormatOptionInput],
      description: 'For each scheme at most one.',
    }),
    furtherAccounts: t.field({
      type: [DebtorAccountInput],
      description:
        'Accounts at the bank in other currencies, from which payments in them are made; at most one for each. A change adds them.',
    }),
    expectedFormats: t.field({
      type: [OtherFileKindEnum],
      description:
        'Kinds of files that the bank sends too and nobody needs: no person has to look.',
    }),
  }));

/** The arguments of a new connection. */
export const connectionArgs = () => ({
  ...common(true),
  ...builder.args((t) => ({
    account: t.field({
      type: DebtorAccountInput,
      required: true,
      description:
        'The account. It pays in its currency and in those that have none of furtherAccounts. It never changes: another one is another connection.',
    }),
  })),
});

/** The arguments of a change: what is absent stays. */
export const connectionChangeArgs = () => ({
  ...builder.args((t) => ({
    connectionId: t.id({ required: true, description: 'The connection.' }),
    version: t.int({ required: true, description: 'The version that it was seen in.' }),
    status: t.field({ type: BankConnectionStatusEnum, description: 'Whether files are made.' }),
  })),
  ...common(false),
});
