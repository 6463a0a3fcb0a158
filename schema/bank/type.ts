import type { PayoutRoute as RouteRow } from '../../generated/prisma/client.ts';
import type { BankConnection as Row } from '../../src/domain/bank-connection/store.ts';
import type { ConnectionScheme } from '../../src/domain/bank-connection/names.ts';
import type { Routing } from '../../src/domain/route/store.ts';
import { id, int, listOf, minorUnits, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
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
  fields: (t) =>
    shown(t, {
      country: text('Country of the bank, ISO 3166-1 alpha-2.'),
      currency: text('ISO 4217 code.'),
      last4: text('The last four characters of the IBAN or account number.'),
    }),
});

/** The columns' CHECK constraints hold the values of the enums. */
export const BankConnection = builder.objectRef<Row>('BankConnection').implement({
  description:
    'An account of the business at a bank that takes files (docs/providers.md). Its numbers are masked, and what opens the way to the bank is never shown.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the connection.'),
      name: text('How people call it.'),
      status: stored(BankConnectionStatusEnum, 'Whether files are made for it.'),
      provider: t.string({
        description: 'The name that payouts and their attempts have for it as their provider.',
        resolve: (row) => `bank:${row.id}`,
      }),
      debtorName: text('Who pays, as the bank knows them.'),
      accountCountry: text('Country of the bank, ISO 3166-1 alpha-2.'),
      accountCurrency: text('ISO 4217 code.'),
      accountLast4: text('The last four characters of the IBAN or account number.'),
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
      transport: stored(BankTransportEnum, 'How files go to the bank and come back.'),
      cutOffTime: text('When the files of a bank day close, HH:MM on the clock of timeZone.'),
      timeZone: text('A zone of the IANA database.'),
      calendar: stored(BankCalendarEnum, 'The calendar that makes the bank days.'),
      leadBankDays: int('Bank days from the cut-off to the day of execution.'),
      returnBankDays: int('After so many bank days without a return, a payment is settled.'),
      maxPayments: int('A file closes when it has so many payments.'),
      version: int('Counts the changes; a change names it.'),
      createdAt: time('Time of creation.'),
      updatedAt: time('Time of the last change.'),
    }),
});

const PayoutRoute = builder.objectRef<RouteRow>('PayoutRoute').implement({
  description: 'Who pays a kind of payout. A condition that is null matches everything.',
  fields: (t) =>
    shown(t, {
      provider: text('Name of the provider; bank: and the id of a connection for a bank.'),
      connectionId: id.orNull('The bank connection; null for a provider that is called.'),
      currency: text.orNull('ISO 4217 code.'),
      country: text.orNull("Of the payee's account, ISO 3166-1 alpha-2."),
      scheme: stored.orNull(
        BankSchemeEnum,
        'How the bank pays; null for its first scheme that can.',
      ),
      amountFromMinor: minorUnits.orNull('Smallest amount, in minor units of currency.'),
      amountToMinor: minorUnits.orNull('Largest amount, in minor units of currency.'),
    }),
});

export const PayoutRouting = builder.objectRef<Routing>('PayoutRouting').implement({
  description:
    'The routes of the tenant: the first that matches a payout says who pays. Without routes the provider of the service pays everything.',
  fields: (t) =>
    shown(t, {
      version: int('Counts the changes; a change names it. 0 where there never was one.'),
      routes: listOf(PayoutRoute, 'In the order in which they are tried.'),
    }),
});
