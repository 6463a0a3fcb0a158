import type {
  BankConnection as Row,
  PayoutRoute as RouteRow,
} from '../../generated/prisma/client.ts';
import type {
  ConnectionScheme,
  ConnectionStatus,
  TransportKind,
} from '../../src/domain/bank-connection/names.ts';
import type { Routing } from '../../src/domain/route/store.ts';
import type { BankCalendar } from '../../src/values/bank-days/calendars.ts';
import { builder } from '../builder.ts';
import {
  BankCalendarEnum,
  BankConnectionStatusEnum,
  BankSchemeEnum,
  BankTransportEnum,
} from './enums.ts';

/** As the commands of connections write it. */
interface FurtherAccount {
  readonly country: string;
  readonly currency: string;
  readonly last4: string;
}

const BankFurtherAccount = builder.objectRef<FurtherAccount>('BankFurtherAccount').implement({
  description: 'An account of a bank connection beside its first one.',
  fields: (t) => ({
    country: t.exposeString('country', {
      description: 'Country of the bank, ISO 3166-1 alpha-2.',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    last4: t.exposeString('last4', {
      description: 'The last four characters of the IBAN or account number.',
    }),
  }),
});

/** The columns' CHECK constraints hold the values of the enums. */
export const BankConnection = builder.objectRef<Row>('BankConnection').implement({
  description:
    'An account of the business at a bank that takes files (docs/providers.md). Its numbers are masked, and what opens the way to the bank is never shown.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the connection.' }),
    name: t.exposeString('name', { description: 'How people call it.' }),
    status: t.field({
      type: BankConnectionStatusEnum,
      description: 'Whether files are made for it.',
      resolve: (row) => row.status as ConnectionStatus,
    }),
    provider: t.string({
      description: 'The name that payouts and their attempts have for it as their provider.',
      resolve: (row) => `bank:${row.id}`,
    }),
    debtorName: t.exposeString('debtorName', { description: 'Who pays, as the bank knows them.' }),
    accountCountry: t.exposeString('accountCountry', {
      description: 'Country of the bank, ISO 3166-1 alpha-2.',
    }),
    accountCurrency: t.exposeString('accountCurrency', { description: 'ISO 4217 code.' }),
    accountLast4: t.exposeString('accountLast4', {
      description: 'The last four characters of the IBAN or account number.',
    }),
    furtherAccounts: t.field({
      type: [BankFurtherAccount],
      description:
        'Accounts in other currencies, from which payments in them are made. All others are paid from the account of accountCurrency.',
      resolve: (row) => row.furtherAccounts as unknown as FurtherAccount[],
    }),
    schemes: t.field({
      type: [BankSchemeEnum],
      description:
        'How the bank pays, in the order in which a payment without a scheme tries them.',
      resolve: (row) => row.schemes as ConnectionScheme[],
    }),
    transport: t.field({
      type: BankTransportEnum,
      description: 'How files go to the bank and come back.',
      resolve: (row) => row.transport as TransportKind,
    }),
    cutOffTime: t.exposeString('cutOffTime', {
      description: 'When the files of a bank day close, HH:MM on the clock of timeZone.',
    }),
    timeZone: t.exposeString('timeZone', { description: 'A zone of the IANA database.' }),
    calendar: t.field({
      type: BankCalendarEnum,
      description: 'The calendar that makes the bank days.',
      resolve: (row) => row.calendar as BankCalendar,
    }),
    leadBankDays: t.exposeInt('leadBankDays', {
      description: 'Bank days from the cut-off to the day of execution.',
    }),
    returnBankDays: t.exposeInt('returnBankDays', {
      description: 'After so many bank days without a return, a payment is settled.',
    }),
    maxPayments: t.exposeInt('maxPayments', {
      description: 'A file closes when it has so many payments.',
    }),
    version: t.exposeInt('version', { description: 'Counts the changes; a change names it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});

const PayoutRoute = builder.objectRef<RouteRow>('PayoutRoute').implement({
  description: 'Who pays a kind of payout. A condition that is null matches everything.',
  fields: (t) => ({
    provider: t.exposeString('provider', {
      description: 'Name of the provider; bank: and the id of a connection for a bank.',
    }),
    connectionId: t.exposeID('connectionId', {
      nullable: true,
      description: 'The bank connection; null for a provider that is called.',
    }),
    currency: t.exposeString('currency', { nullable: true, description: 'ISO 4217 code.' }),
    country: t.exposeString('country', {
      nullable: true,
      description: "Of the payee's account, ISO 3166-1 alpha-2.",
    }),
    scheme: t.field({
      type: BankSchemeEnum,
      nullable: true,
      description: 'How the bank pays; null for its first scheme that can.',
      // The commands that write routes hold these values.
      resolve: (route) => route.scheme as ConnectionScheme | null,
    }),
    amountFromMinor: t.expose('amountFromMinor', {
      type: 'MinorUnits',
      nullable: true,
      description: 'Smallest amount, in minor units of currency.',
    }),
    amountToMinor: t.expose('amountToMinor', {
      type: 'MinorUnits',
      nullable: true,
      description: 'Largest amount, in minor units of currency.',
    }),
  }),
});

export const PayoutRouting = builder.objectRef<Routing>('PayoutRouting').implement({
  description:
    'The routes of the tenant: the first that matches a payout says who pays. Without routes the provider of the service pays everything.',
  fields: (t) => ({
    version: t.exposeInt('version', {
      description: 'Counts the changes; a change names it. 0 where there never was one.',
    }),
    routes: t.field({
      type: [PayoutRoute],
      description: 'In the order in which they are tried.',
      resolve: ({ routes }) => [...routes],
    }),
  }),
});
