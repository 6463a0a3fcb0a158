import type { ConnectionPartsFragment } from '../../../../generated/console-types/graphql.ts';
import { listed, texts } from '../../texts/texts.ts';
import { countryName } from '../../values/places.ts';
import { CopyId } from '../copy-id.tsx';
import { Facts } from '../facts.tsx';

const words = texts.banks.connection;

/** What a connection is: its account, how it pays, and when. */
export function ConnectionFacts({ of }: { readonly of: ConnectionPartsFragment }) {
  const accounts = [
    { currency: of.accountCurrency, last4: of.accountLast4 },
    ...of.furtherAccounts,
  ];
  return (
    <Facts
      facts={[
        [
          words.account,
          listed(accounts.map((each) => texts.operatorBanks.connections.account(each))),
        ],
        [words.country, countryName(of.accountCountry)],
        [words.debtor, of.debtorName],
        [words.schemes, listed(of.schemes.map((scheme) => texts.banks.schemes[scheme]))],
        [words.way, texts.operatorBanks.connections.ways[of.transport]],
        [words.cutOff, words.cutOffAt({ time: of.cutOffTime, zone: of.timeZone })],
        [words.calendar, words.calendars[of.calendar]],
        [words.leadBankDays, words.days({ count: of.leadBankDays })],
        [words.returnBankDays, words.days({ count: of.returnBankDays })],
        [words.maxPayments, of.maxPayments],
        [words.id, <CopyId key="id" value={of.id} name={words.id} />],
      ]}
    />
  );
}
