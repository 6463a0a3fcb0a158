import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Since } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { ActOn } from './act-on.tsx';
import { FindForm } from './find-form.tsx';
import { OpenQuestions } from './open-questions.tsx';
import { SubjectLink } from './place.tsx';
import { LookUpDialog, ResolveDialog, type StuckPayout } from './resolve.tsx';
import { operatorStuckPayoutsDocument } from '../../../../generated/console-types/pages/operator/standstills.ts';

const words = texts.operator.standstills;

interface AskedPayout {
  readonly what: 'lookUp' | 'resolve';
  readonly of: StuckPayout;
}

/** Payouts that stand still, each with the reason and the next step, and what waits for a person's answer. */
export function StandstillsPage() {
  const place = useSearch({ from: '/shell/operator/standstills' });
  const navigate = useNavigate({ from: '/operator/standstills' });
  const fresh = useFresh(operatorStuckPayoutsDocument, forwards(place));
  const [asked, setAsked] = useState<AskedPayout | null>(null);
  const found = fresh.data?.operatorStuckPayouts;
  const page =
    found === undefined
      ? null
      : {
          ...found,
          edges: found.edges.map(({ node }) => ({ node: { ...node, id: node.payoutId } })),
        };
  const close = () => setAsked(null);
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="stack">
        <FindForm what="" />
        <OpenQuestions />
        <Card title={words.payouts} flush>
          <Listing
            caption={words.payouts}
            fresh={fresh}
            page={page}
            place={place}
            onPlace={(to) => void navigate({ search: to })}
            versionOf={({ reason, state }) => `${reason} ${state}`}
            empty={<Empty title={words.none} />}
            columns={columnsOf(setAsked)}
          />
        </Card>
      </div>
      <LookUpDialog
        payout={asked?.what === 'lookUp' ? asked.of : null}
        onClose={close}
        onDone={fresh.refresh}
      />
      <ResolveDialog
        payout={asked?.what === 'resolve' ? asked.of : null}
        onClose={close}
        onDone={fresh.refresh}
      />
    </Page>
  );
}

/** What the list shows of each payout, with what can be done. */
function columnsOf(
  ask: (asked: AskedPayout) => void,
): readonly Column<StuckPayout & { readonly id: string }>[] {
  return [
    {
      name: 'payout',
      title: words.payout,
      cell: (row) => (
        <>
          <SubjectLink about={row.payoutId} />
          <div className="muted small">
            {texts.operator.at({
              business: row.companyName,
              environment: texts.environment[row.environment],
            })}
          </div>
        </>
      ),
    },
    {
      name: 'amount',
      title: words.amount,
      align: 'end',
      cell: ({ amountMinor, currency }) => <Amount minor={amountMinor} currency={currency} />,
    },
    {
      name: 'state',
      title: words.state,
      cell: ({ state, since }) => (
        <>
          <PayoutStateMark state={state} />
          <div className="muted small">
            <Since at={since} />
          </div>
        </>
      ),
    },
    {
      name: 'why',
      title: words.why,
      cell: ({ explanation, nextStep, lastError, takenBy }) => (
        <div className="reading">
          <p>{explanation}</p>
          <p className="muted small">
            {words.next} {nextStep}
          </p>
          {lastError && <p className="small">{lastError}</p>}
          {takenBy && <p className="small">{texts.operator.taken({ who: takenBy })}</p>}
        </div>
      ),
    },
    {
      name: 'actions',
      title: words.actions,
      cell: (row) => (
        <div className="row">
          <ActOn
            act={words.lookUp}
            about={row.payoutId}
            onClick={() => ask({ what: 'lookUp', of: row })}
          />
          <ActOn
            act={words.resolve}
            about={row.payoutId}
            onClick={() => ask({ what: 'resolve', of: row })}
          />
          <Link to="/operator/queue" search={{ subject: row.payoutId }}>
            {words.jobs}
          </Link>
          <Link to="/operator/log" search={{ subject: row.payoutId }}>
            {words.log}
          </Link>
        </div>
      ),
    },
  ];
}
