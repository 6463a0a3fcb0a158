import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { NameCheck } from '../../app/name-check.tsx';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { announce } from '../../parts/live.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { PrintButton } from '../../parts/print.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { texts } from '../../texts/texts.ts';
import { Actions, WhyNotApprove } from './actions.tsx';
import { Chain } from './chain.tsx';
import { PayoutFacts } from './payout-facts.tsx';
import { payoutPageDocument } from '../../../../generated/console-types/pages/payout/payout.ts';
import { Decisions } from './decisions.tsx';
import type { ShownPayout } from './shown.ts';
import { Steps } from './steps.tsx';
import { Timeline } from './timeline.tsx';
import { WhatNext } from './what-next.tsx';
import './payout.css';

const route = getRouteApi('/shell/payouts/$id');
const words = texts.payout;

/** One payout: what it is, what can be done with it, and all that happened to it, read in one query. */
export function PayoutPage() {
  const { id } = route.useParams();
  // Another payout is another page, with the timeline from its beginning.
  return <OnePayout key={id} id={id} />;
}

function OnePayout({ id }: { readonly id: string }) {
  const fresh = useFresh(payoutPageDocument, { id }, { everyMs: 5_000 });
  const { data, refresh } = fresh;
  if (data === null) {
    return (
      <Page title={texts.payouts.title}>
        <Card flush>
          <Pending of={fresh} lines={8} />
        </Card>
      </Page>
    );
  }
  if (data.payout === null) return <Missing />;
  return <Shown payout={data.payout} onActed={refresh} />;
}

function Missing() {
  return (
    <Page title={texts.payouts.title}>
      <Card flush>
        <Empty title={words.missing.title}>
          <p>{words.missing.text}</p>
          <Link className="button" to="/payouts">
            {words.missing.back}
          </Link>
        </Empty>
      </Card>
    </Page>
  );
}

interface ShownProps {
  readonly payout: ShownPayout;
  onActed(): void;
}

function Shown({ payout, onActed }: ShownProps) {
  const { state, amountMinor, currency, beneficiaryName, beneficiaryId } = payout;
  useChangedState(state);
  return (
    <Page
      title={words.title({ name: beneficiaryName ?? beneficiaryId })}
      lead={
        <span className="payout-lead">
          <span className="figure">
            <Amount minor={amountMinor} currency={currency} />
          </span>
          <PayoutStateMark state={state} />
        </span>
      }
      actions={<PrintButton />}
    >
      <div className="stack">
        <WhatNext payout={payout} />
        <WhyNotApprove payout={payout} />
        <div className="columns">
          <Card>
            <div className="stack">
              <PayoutFacts payout={payout} />
              {state === 'pending_approval' && (
                <NameCheck
                  check={payout.bankAccount.nameCheck}
                  account={payout.bankAccountId}
                  payee={beneficiaryId}
                  onDone={onActed}
                />
              )}
            </div>
          </Card>
          <div className="stack">
            <Chain payout={payout} />
            <Steps payout={payout} />
            <Decisions payout={payout} />
          </div>
        </div>
        <Timeline payout={payout} />
      </div>
      <Actions payout={payout} onActed={onActed} />
    </Page>
  );
}

/** Tells screen readers of a state that changed under the reader. */
function useChangedState(state: ShownPayout['state']): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    announce(`${words.changed} ${texts.states[state]}`);
  }, [state]);
}
