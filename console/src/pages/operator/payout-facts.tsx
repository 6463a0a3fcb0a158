import { Link } from '@tanstack/react-router';
import { CopyId } from '../../parts/copy-id.tsx';
import { FailureCode } from '../../parts/failure-code.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { SeenPayout } from './payout-seen.ts';
import { SubjectLink } from './place.tsx';

const name = texts.operatorPayout.facts;

const copied = (title: string, value: string | null) =>
  [title, value === null ? null : <CopyId key={title} value={value} name={title} />] as const;

const other = (title: string, id: string | null) =>
  [title, id === null ? null : <SubjectLink key={title} about={id} />] as const;

/** What the payout is: ids, and no detail of the payee. */
export function OperatorPayoutFacts({ payout }: { readonly payout: SeenPayout }) {
  const { businessId, companyName, waitsForFileSince } = payout;
  return (
    <Facts
      facts={[
        copied(name.id, payout.payoutId),
        [
          name.business,
          <Link key="business" to="/operator/businesses" search={{ find: businessId }}>
            {companyName}
          </Link>,
        ],
        copied(name.payee, payout.beneficiaryId),
        [name.payeeStanding, name.standings[payout.complianceStatus]],
        copied(name.account, payout.bankAccountId),
        [name.country, payout.accountCountry],
        [name.provider, payout.provider],
        copied(name.providerId, payout.providerPayoutId),
        copied(name.connection, payout.connectionId),
        [name.scheme, payout.scheme],
        [
          name.waitsForFile,
          waitsForFileSince === null ? null : <Time key="file" at={waitsForFileSince} />,
        ],
        [
          name.failure,
          payout.failureCode === null ? null : (
            <FailureCode key="failure" code={payout.failureCode} />
          ),
        ],
        other(name.replaces, payout.replacesPayoutId),
        other(name.replacedBy, payout.replacedBy),
        [name.made, <Time key="made" at={payout.createdAt} />],
        [name.moved, <Time key="moved" at={payout.updatedAt} />],
      ]}
    />
  );
}
