import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { announce } from '../../parts/live.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorPayoutPageQuery } from '../../../../generated/console-types/graphql.ts';
import { FindForm } from './find-form.tsx';
import { Contradictions } from './contradictions.tsx';
import { Resolutions } from './open-questions.tsx';
import { Attempts } from './payout-attempts.tsx';
import { OperatorPayoutFacts } from './payout-facts.tsx';
import { PayoutJobs, PayoutLog } from './payout-records.tsx';
import type { SeenPayout } from './payout-seen.ts';
import { Standstill } from './payout-standstill.tsx';
import { OperatorTimeline } from './payout-timeline.tsx';
import { operatorPayoutPageDocument } from '../../../../generated/console-types/pages/operator/payout.ts';

const route = getRouteApi('/shell/operator/payouts/$id');
const words = texts.operatorPayout;

/** One payout of whichever business: why it stands still and what comes next, and all that belongs to it. */
export function OperatorPayoutPage() {
  const { id } = route.useParams();
  return <OnePayout key={id} id={id} />;
}

function OnePayout({ id }: { readonly id: string }) {
  const fresh = useFresh(operatorPayoutPageDocument, { id }, { everyMs: 5_000 });
  const { data, refresh } = fresh;
  if (data === null) {
    return (
      <Page title={words.title}>
        <Card flush>
          <Pending of={fresh} lines={8} />
        </Card>
      </Page>
    );
  }
  if (data.operatorPayout === null) return <Missing />;
  return <Shown data={data} payout={data.operatorPayout} onActed={refresh} />;
}

function Missing() {
  return (
    <Page title={words.title}>
      <div className="stack">
        <FindForm what="" />
        <Card flush>
          <Empty title={words.missing.title}>
            <p>{words.missing.text}</p>
          </Empty>
        </Card>
      </div>
    </Page>
  );
}

interface ShownProps {
  readonly data: OperatorPayoutPageQuery;
  readonly payout: SeenPayout;
  onActed(): void;
}

function Shown({ data, payout, onActed }: ShownProps) {
  const { amountMinor, currency, state, resolution, contradictions } = payout;
  useChangedState(state);
  return (
    <Page
      title={words.title}
      lead={
        <span className="payout-lead">
          <span className="figure">
            <Amount minor={amountMinor} currency={currency} />
          </span>
          <PayoutStateMark state={state} />
          {texts.operator.at({
            business: payout.companyName,
            environment: texts.environment[payout.environment],
          })}
        </span>
      }
    >
      <div className="stack">
        <Standstill payout={payout} onActed={onActed} />
        {resolution !== null && <Resolutions rows={[resolution]} onDone={onActed} />}
        {contradictions.length > 0 && <Contradictions rows={contradictions} onDone={onActed} />}
        <div className="columns">
          <Card title={words.facts.title}>
            <OperatorPayoutFacts payout={payout} />
          </Card>
          <Attempts payout={payout} />
        </div>
        <PayoutJobs jobs={data.operatorJobs.edges.map(({ node }) => node)} onActed={onActed} />
        <OperatorTimeline payout={payout} />
        <PayoutLog lines={data.operatorActions.edges.map(({ node }) => node)} />
      </div>
    </Page>
  );
}

/** Tells screen readers of a state that changed under the reader. */
function useChangedState(state: SeenPayout['state']): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    announce(`${words.changed} ${texts.states[state]}`);
  }, [state]);
}
