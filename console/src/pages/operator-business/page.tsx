import { Link, useParams } from '@tanstack/react-router';
import { operatorBusinessPageDocument } from '../../../../generated/console-types/pages/operator-business/business.ts';
import { useFresh } from '../../app/fresh.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { Funding } from './funding.tsx';
import { Members } from './members.tsx';
import type { OperatedBusiness } from './operated.ts';
import { Payees } from './payees.tsx';

const words = texts.operatorBusiness;
const profileWords = texts.operator.businesses;

/** What an operator sees of one business and may do about it. */
export function OperatorBusinessPage() {
  const { id } = useParams({ from: '/shell/operator/businesses/$id' });
  const fresh = useFresh(operatorBusinessPageDocument, { id, find: id });
  const business = fresh.data?.operatorBusinesses.edges[0]?.node ?? null;
  const isMissing = fresh.fault?.code === 'not_found';
  return (
    <Page
      title={business?.companyName ?? words.title}
      lead={words.lead}
      actions={
        <>
          <Link
            className="button"
            to="/operator/businesses/$id/banks"
            params={{ id }}
            search={{ environment: 'production' }}
          >
            {words.banks}
          </Link>
          <Link className="button" to="/operator/businesses" search={{}}>
            {profileWords.title}
          </Link>
        </>
      }
    >
      {isMissing ? (
        <Empty title={words.none} />
      ) : fresh.data === null || business === null ? (
        <Pending of={fresh} lines={10} />
      ) : (
        <div className="stack">
          <Profile business={business} />
          <Members business={business} onDone={fresh.refresh} />
          <Funding businessId={id} ledger={fresh.data.operatorLedger} onDone={fresh.refresh} />
          <Payees businessId={id} />
        </div>
      )}
    </Page>
  );
}

function Profile({ business }: { readonly business: OperatedBusiness }) {
  const { id, emailDomain, registrationProvenAt, createdAt, profile } = business;
  return (
    <Card
      title={profileWords.profile}
      aside={
        <Link to="/operator/businesses" search={{ find: id }}>
          {profileWords.profiles[profile.profileStatus]}
        </Link>
      }
    >
      <Facts
        facts={[
          [profileWords.legalName, profile.legalName],
          [profileWords.registrationNumber, profile.registrationNumber],
          [profileWords.country, profile.country],
          [profileWords.website, profile.website],
          [profileWords.industry, profile.industry],
          [words.domain, emailDomain],
          [
            profileWords.proven,
            registrationProvenAt && <Time key="at" at={registrationProvenAt} />,
          ],
          [profileWords.since, <Time key="since" at={createdAt} />],
          [words.id, <CopyId key="id" value={id} name={words.id} />],
        ]}
      />
    </Card>
  );
}
