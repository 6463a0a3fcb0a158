import { Link } from '@tanstack/react-router';
import { CopyId } from '../../parts/copy-id.tsx';
import { FailureCode } from '../../parts/failure-code.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Metadata } from '../../parts/metadata.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { purposeWords } from '../../values/purpose-words.ts';
import { authorName } from '../../values/author.ts';
import type { ShownPayout } from './shown.ts';

const words = texts.payout;

/** What the payout is and where it stands. */
export function PayoutFacts({ payout }: { readonly payout: ShownPayout }) {
  const { destination, waitsFor, waitsSince, failureCode, failureMessage, metadata } = payout;
  const { maskedAccount, bankName, country, accountHolderName } = destination;
  const name = words.facts;
  return (
    <Facts
      facts={[
        [name.id, <CopyId key="id" value={payout.id} name={name.id} />],
        [
          name.payee,
          <Link key="payee" to="/payees/$id" params={{ id: payout.beneficiaryId }}>
            {payout.beneficiaryName ?? payout.beneficiaryId}
          </Link>,
        ],
        [name.holder, accountHolderName],
        [name.account, [maskedAccount, bankName, country].filter(Boolean).join(', ')],
        [name.since, <Time key="since" at={destination.since} />],
        [name.purpose, purposeWords(payout.purposeOfPayment)],
        [name.reference, payout.externalRef],
        [name.waitsFor, waitsFor === null ? null : words.waits[waitsFor]],
        [name.waitsSince, waitsSince === null ? null : <Time key="waits" at={waitsSince} />],
        [
          name.failure,
          failureCode === null ? null : (
            <span key="failure">
              <FailureCode code={failureCode} />
              {failureMessage !== null && <div className="small">{failureMessage}</div>}
            </span>
          ),
        ],
        [name.madeBy, authorName(payout.createdBy)],
        [name.madeAt, <Time key="made" at={payout.createdAt} />],
        [name.provider, payout.provider],
        [
          name.providerId,
          payout.providerPayoutId === null ? null : (
            <CopyId key="provider" value={payout.providerPayoutId} name={name.providerId} />
          ),
        ],
        [name.railRef, payout.railRef],
        [
          name.arrival,
          payout.estimatedArrivalAt === null ? null : (
            <Time key="eta" at={payout.estimatedArrivalAt} />
          ),
        ],
        [name.key, <CopyId key="key" value={payout.idempotencyKey} name={name.key} />],
        [name.metadata, metadata === null ? null : <Metadata key="metadata" metadata={metadata} />],
      ]}
    />
  );
}
