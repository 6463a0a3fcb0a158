import type {
  ConnectionScheme,
  ConnectionStatus,
  TransportKind,
} from '../../src/domain/bank-connection/names.ts';
import type { BankCalendar } from '../../src/values/bank-days/calendars.ts';
import { describedEnum } from '../common/described-enum.ts';

export const BankSchemeEnum = describedEnum<ConnectionScheme>(
  'BankScheme',
  'How a bank pays (docs/bank-batches.md).',
  {
    sepa_credit_transfer: 'Euro to a country of SEPA, on bank days.',
    sepa_instant: 'Euro to a country of SEPA, within seconds, every day.',
    uk_domestic: 'Pounds to an account in the United Kingdom, by Faster Payments.',
    us_wire: 'Dollars to an account in the United States, by wire.',
    cross_border: 'Any currency to any country, by correspondent banks.',
    ach: 'Dollars to an account in the United States, by Nacha files.',
  },
);

export const BankConnectionStatusEnum = describedEnum<ConnectionStatus>(
  'BankConnectionStatus',
  'Whether files are made for the bank.',
  {
    active: 'Files are made and sent.',
    paused: 'Nothing is sent; payouts wait.',
    closed: 'Nothing is ever sent again, and no route can lead here.',
  },
);

export const BankTransportEnum = describedEnum<TransportKind>(
  'BankTransport',
  'How files go to the bank and come back.',
  {
    sftp: "The bank's SFTP server.",
    folder: 'A directory that is mounted where the service runs.',
    manual: 'People: one downloads the file, another records that it was uploaded.',
  },
);

export const BankCalendarEnum = describedEnum<BankCalendar>(
  'BankCalendar',
  'The calendar that makes the bank days.',
  {
    target: 'TARGET, the calendar of the euro.',
    england_and_wales: 'Bank holidays of England and Wales.',
    federal_reserve: 'Holidays of the Federal Reserve Banks.',
  },
);
