import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ScreeningQuery } from '../../../../generated/console-types/graphql.ts';
import { screeningDocument } from '../../../../generated/console-types/pages/screening/screening.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf } from '../../app/place.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { grouped, texts } from '../../texts/texts.ts';
import { DecideDialog } from './decide.tsx';
import type { Hit } from './hit.ts';

const route = getRouteApi('/shell/screening');
const words = texts.screening;

type Figures = ScreeningQuery['screening'];

const tones: Readonly<Record<Hit['status'], Tone>> = {
  open: 'wait',
  cleared: 'good',
  confirmed: 'bad',
  gone: 'calm',
};

/** Payees who may be on a list of sanctions: how many wait, and each beside its entry. */
export function ScreeningPage() {
  const { status, ...place } = route.useSearch();
  const navigate = route.useNavigate();
  const [asked, setAsked] = useState<Hit | null>(null);
  const filter = status === undefined ? {} : { status };
  const fresh = useFresh(screeningDocument, { ...pageOf(place), filter }, { everyMs: 60_000 });
  const { data } = fresh;
  return (
    <Page title={words.title} lead={words.lead}>
      {data === null ? (
        <Pending of={fresh} lines={8} />
      ) : !data.screening.settings ? (
        <Empty title={words.off}>{words.offHint}</Empty>
      ) : (
        <div className="stack">
          <Standing figures={data.screening} />
          <Card title={words.hits} flush>
            <Choice
              label={words.status}
              options={words.statuses}
              any={words.anyStatus}
              value={status}
              onChange={(chosen) =>
                void navigate({ search: chosen === undefined ? {} : { status: chosen } })
              }
            />
            <Listing
              caption={words.hits}
              fresh={fresh}
              page={data.screeningHits}
              place={place}
              onPlace={(to) => void navigate({ search: { ...filter, ...to } })}
              versionOf={({ status: one }) => one}
              empty={<Empty title={words.none} />}
              columns={columnsOf(setAsked)}
            />
          </Card>
        </div>
      )}
      {asked !== null && (
        <DecideDialog
          hit={asked}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            fresh.refresh();
          }}
        />
      )}
    </Page>
  );
}

function Standing({ figures }: { readonly figures: Figures }) {
  const { openHits, oldestOpenAt, settings, lists } = figures;
  const confirmed = settings?.confirmedAt ? <Time at={settings.confirmedAt} /> : '–';
  const oldest = oldestOpenAt && <Time at={oldestOpenAt} />;
  return (
    <Card title={words.lists}>
      <Facts
        facts={[
          ...lists.map(({ kind, state, listedOn }) => {
            const day = listedOn ? ` ${words.listedOn({ day: listedOn })}` : '';
            return [words.listNames[kind], `${words.listStates[state]}${day}`] as const;
          }),
          [words.confirmedAt, confirmed],
          [words.open, grouped(openHits)],
          [words.oldest, oldest],
          [words.barred, grouped(figures.payeesWithHit)],
          [words.confirmedPayees, grouped(figures.payeesConfirmed)],
          [words.incomplete, grouped(figures.payeesIncomplete)],
          [words.pending, grouped(figures.payeesPending)],
        ]}
      />
    </Card>
  );
}

function columnsOf(onAsk: (hit: Hit) => void) {
  return [
    {
      name: 'payee',
      title: words.payee,
      cell: ({ beneficiary, subjectName }: Hit) =>
        beneficiary ? (
          <Link to="/payees/$id" params={{ id: beneficiary.id }}>
            {beneficiary.name}
          </Link>
        ) : (
          (subjectName ?? '–')
        ),
    },
    {
      name: 'entry',
      title: words.entry,
      cell: ({ listedName, list, ref }: Hit) => (
        <>
          {listedName ?? ref}
          <div className="small muted">{words.listNames[list]}</div>
        </>
      ),
    },
    {
      name: 'score',
      title: words.score,
      cell: ({ score, ofac }: Hit) => (
        <>
          {Math.round(score * 100)}
          <div className="small muted">{words.ofac({ score: String(ofac) })}</div>
        </>
      ),
    },
    {
      name: 'status',
      title: words.status,
      cell: ({ status }: Hit) => (
        <StateMark tone={tones[status]}>{words.statuses[status]}</StateMark>
      ),
    },
    { name: 'found', title: words.found, cell: ({ foundAt }: Hit) => <Time at={foundAt} /> },
    {
      name: 'actions',
      title: words.decide,
      cell: (hit: Hit) => (
        <Button
          aria-label={words.lookAt({
            payee: hit.subjectName ?? hit.id,
            entry: hit.listedName ?? hit.ref,
          })}
          onClick={() => onAsk(hit)}
        >
          {words.look}
        </Button>
      ),
    },
  ];
}
