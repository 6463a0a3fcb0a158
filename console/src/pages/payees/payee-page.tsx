import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Metadata } from '../../parts/metadata.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { Accounts } from './accounts.tsx';
import { PayeeActions } from './actions.tsx';
import { History } from './history.tsx';
import { Invites } from './invites.tsx';
import { LatestPayouts, PaidByYear } from './paid.tsx';
import { PayeeState } from './payee-state.tsx';
import type { Payee } from './payee.ts';
import { payeeDocument } from '../../../../generated/console-types/pages/payees/payees.ts';

const words = texts.payees;

/** One payee: who it is, where it is paid, what was asked of it, and what happened. */
export function PayeePage() {
  const { id } = useParams({ from: '/shell/payees/$id' });
  const { ask = false } = useSearch({ from: '/shell/payees/$id' });
  const fresh = useFresh(payeeDocument, { id });
  const { data, refresh } = fresh;
  const mayWrite = useMay('payees:write');
  const mayPay = useMay('payouts:write');
  const payee = data?.beneficiary ?? null;
  if (payee === null) {
    return (
      <Page title={words.one}>
        {data === null ? (
          <Pending of={fresh} />
        ) : (
          <Empty title={words.unknown}>{words.unknownHint}</Empty>
        )}
      </Page>
    );
  }
  const isGone = Boolean(payee.archivedAt ?? payee.erasedAt);
  return (
    <Page
      title={payee.displayName}
      lead={<Link to="/payees">{words.title}</Link>}
      actions={
        <>
          {mayPay && payee.status === 'ready' && !isGone && (
            <Link className="button" to="/payouts/new" search={{ payee: payee.id }}>
              {texts.payouts.create}
            </Link>
          )}
          {mayWrite && !isGone && <PayeeActions payee={payee} asks={ask} onDone={refresh} />}
        </>
      }
    >
      <div className="stack">
        {payee.erasedAt && <Note>{words.erased}</Note>}
        {payee.archivedAt && <Note>{words.archived}</Note>}
        {payee.status !== 'ready' && !isGone && (
          <Note tone="wait">{words.means[payee.status]}</Note>
        )}
        <div className="columns">
          <Identity payee={payee} />
          <Compliance payee={payee} />
        </div>
        <Accounts payee={payee} isGone={isGone} onDone={refresh} />
        <Invites payee={payee} onDone={refresh} />
        <LatestPayouts payee={payee} />
        <PaidByYear payee={payee} />
        <History payee={payee} />
      </div>
    </Page>
  );
}

interface PartProps {
  readonly payee: Payee;
}

function Identity({ payee }: PartProps) {
  const address = payee.postalAddress;
  return (
    <Card title={words.identity}>
      <Facts
        facts={[
          [words.name, payee.name],
          [words.type, words.types[payee.beneficiaryType]],
          [words.email, payee.email],
          [words.phone, payee.phone],
          [texts.payout.facts.reference, payee.externalRef],
          [words.country, payee.countryOfResidence ?? payee.countryOfIncorporation],
          [
            words.address,
            address &&
              [address.line1, address.line2, address.postalCode, address.city, address.country]
                .filter(Boolean)
                .join(', '),
          ],
          [words.id, <CopyId key="id" value={payee.id} name={words.id} />],
          [words.made, <Time key="made" at={payee.createdAt} />],
          [
            texts.payout.facts.metadata,
            payee.metadata === null ? null : <Metadata key="metadata" metadata={payee.metadata} />,
          ],
        ]}
      />
    </Card>
  );
}

function Compliance({ payee }: PartProps) {
  return (
    <Card title={words.compliance}>
      <Facts
        facts={[
          [words.state, <PayeeState key="state" status={payee.status} />],
          [words.compliance, words.compliances[payee.complianceStatus]],
          [words.details, payee.identityComplete ? words.complete : words.incomplete],
          [
            words.acknowledged,
            payee.acknowledgedAt && <Time key="known" at={payee.acknowledgedAt} />,
          ],
          [
            words.submitted,
            payee.detailsSubmittedAt && <Time key="given" at={payee.detailsSubmittedAt} />,
          ],
          [
            words.enrollment,
            payee.enrollmentStatus ? words.enrollments[payee.enrollmentStatus] : words.notEnrolled,
          ],
        ]}
      />
    </Card>
  );
}
