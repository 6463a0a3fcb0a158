import type {
  ConnectionScheme,
  ConnectionStatus,
  TransportKind,
} from '../../src/domain/bank-connection/names.ts';
import type { BankCalendar } from '../../src/values/bank-days/calendars.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';

export const BankSchemeEnum = builder.enumType('BankScheme', {
  description: 'How a bank pays (docs/bank-batches.md).',
  values: describedValues<ConnectionScheme>({
    sepa_credit_transfer: 'Euro to a country of SEPA, on bank days.',
    sepa_instant: 'Euro to a country of SEPA, within seconds, every day.',
    uk_domestic: 'Pounds to an account in the United Kingdom, by Faster Payments.',
    us_wire: 'Dollars to an account in the United States, by wire.',
    cross_border: 'Any currency to any country, by correspondent banks.',
    ach: 'Dollars to an account in the United States, by Nacha files.',
  }),
});

export const BankConnectionStatusEnum = builder.enumType('BankConnectionStatus', {
  description: 'Whether files are made for the bank.',
  values: describedValues<ConnectionStatus>({
    active: 'Files are made and sent.',
    paused: 'Nothing is sent; payouts wait.',
    closed: 'Nothing is ever sent again, and no route can lead here.',
  }),
});

export const BankTransportEnum = builder.enumType('BankTransport', {
  description: 'How files go to the bank and come back.',
  values: describedValues<TransportKind>({
    sftp: "The bank's SFTP server.",
    folder: 'A directory that is mounted where the service runs.',
    manual: 'People: one downloads the file, another records that it was uploaded.',
  }),
});

export const BankCalendarEnum = builder.enumType('BankCalendar', {
  description: 'The calendar that makes the bank days.',
  values: describedValues<BankCalendar>({
    target: 'TARGET, the calendar of the euro.',
    england_and_wales: 'Bank holidays of England and Wales.',
    federal_reserve: 'Holidays of the Federal Reserve Banks.',
  }),
});
