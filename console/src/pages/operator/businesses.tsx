import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Facts } from '../../parts/facts.tsx';
import { valuesOf } from '../../parts/form-dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import {
  operatorBusinessesDocument,
  operatorProfileAcceptDocument,
} from '../../../../generated/console-types/pages/operator/businesses.ts';
import type { Business } from './business.ts';
import { DeclineProfile } from './decline-profile.tsx';
import { Reasoned } from './reasoned.tsx';

const words = texts.operator.businesses;
const ownWords = texts.operatorBusiness.profile;
type Status = keyof typeof words.profiles;

const tones: Readonly<Record<Status, Tone>> = {
  incomplete: 'calm',
  submitted: 'wait',
  accepted: 'good',
};

/** The businesses of the platform; a profile that was submitted is accepted here. */
export function BusinessesPage() {
  const { find, profile, ...place } = useSearch({ from: '/shell/operator/businesses' });
  const navigate = useNavigate({ from: '/operator/businesses' });
  const choice = {
    ...(find === undefined ? {} : { find }),
    ...(profile === undefined ? {} : { profile }),
  };
  const fresh = useFresh(operatorBusinessesDocument, {
    ...forwards(place),
    find: find ?? null,
    profileStatus: profile ?? null,
  });
  const accept = useAct(operatorProfileAcceptDocument);
  const [asked, setAsked] = useState<Business | null>(null);
  const [declined, setDeclined] = useState<Business | null>(null);
  const search = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sought = valuesOf(event.currentTarget)('find');
    const others = profile === undefined ? {} : { profile };
    void navigate({ search: sought === '' ? others : { ...others, find: sought } });
  };
  return (
    <Page title={words.title} lead={words.lead}>
      <form className="filters" role="search" onSubmit={search}>
        <TextField label={words.search} name="find" type="search" defaultValue={find ?? ''} />
        <Choice
          label={words.profile}
          options={words.profiles}
          any={words.anyProfile}
          value={profile}
          onChange={(chosen) =>
            void navigate({
              search: {
                ...(find === undefined ? {} : { find }),
                ...(chosen === undefined ? {} : { profile: chosen }),
              },
            })
          }
        />
        <Button type="submit">{texts.payees.find}</Button>
      </form>
      <Card flush>
        <Listing
          caption={words.title}
          fresh={fresh}
          page={fresh.data?.operatorBusinesses ?? null}
          place={place}
          onPlace={(to) => void navigate({ search: { ...choice, ...to } })}
          versionOf={(row) => `${row.profile.profileStatus} ${row.registrationProvenAt ?? ''}`}
          empty={<Empty title={Object.keys(choice).length > 0 ? words.noneFits : words.none} />}
          columns={columnsOf(setAsked, setDeclined)}
        />
      </Card>
      <Reasoned
        title={words.acceptOf({ name: asked?.companyName ?? '' })}
        action={words.accept}
        open={asked !== null}
        command={accept}
        variables={(reason) => ({
          businessId: asked?.id ?? '',
          submittedAt: asked?.profile.profileSubmittedAt ?? null,
          reason,
        })}
        onClose={() => setAsked(null)}
        onDone={fresh.refresh}
      >
        <p>{words.acceptMeans}</p>
        <Facts
          facts={[
            [words.legalName, asked?.profile.legalName],
            [words.registrationNumber, asked?.profile.registrationNumber],
            [words.country, asked?.profile.country],
            [words.website, asked?.profile.website],
            [words.industry, asked?.profile.industry],
          ]}
        />
      </Reasoned>
      <DeclineProfile
        business={declined}
        onClose={() => setDeclined(null)}
        onDone={fresh.refresh}
      />
    </Page>
  );
}

/** What the list shows of each business, with a way to accept a profile that waits. */
function columnsOf(
  ask: (business: Business) => void,
  decline: (business: Business) => void,
): readonly Column<Business>[] {
  return [
    {
      name: 'name',
      title: words.name,
      cell: ({ companyName, id, emailDomain }) => (
        <>
          <Link to="/operator/businesses/$id" params={{ id }} search={{}}>
            {companyName}
          </Link>{' '}
          {emailDomain}
          <div className="muted small">
            <code>{id}</code>
          </div>
        </>
      ),
    },
    {
      name: 'profile',
      title: words.profile,
      cell: ({ profile: { profileStatus } }) => (
        <StateMark tone={tones[profileStatus]}>{words.profiles[profileStatus]}</StateMark>
      ),
    },
    {
      name: 'proven',
      title: words.proven,
      cell: ({ registrationProvenAt }) => (
        <StateMark tone={registrationProvenAt === null ? 'wait' : 'good'}>
          {registrationProvenAt === null ? words.notProven : words.isProven}
        </StateMark>
      ),
    },
    {
      name: 'members',
      title: words.members,
      align: 'end',
      cell: ({ members }) => members.length,
    },
    { name: 'since', title: words.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: 'actions',
      title: words.actions,
      cell: (row) =>
        row.profile.profileStatus === 'submitted' && (
          <div className="row">
            {row.registrationProvenAt === null ? (
              <p className="muted small">{words.waitsForProof}</p>
            ) : (
              <Button
                kind="primary"
                onClick={() => ask(row)}
                aria-label={words.acceptOf({ name: row.companyName })}
              >
                {words.accept}
              </Button>
            )}
            <Button
              onClick={() => decline(row)}
              aria-label={ownWords.declineOf({ name: row.companyName })}
            >
              {ownWords.decline}
            </Button>
          </div>
        ),
    },
  ];
}
