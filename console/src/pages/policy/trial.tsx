import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from 'urql';
import { policyTrialDocument } from '../../../../generated/console-types/pages/policy/policy.ts';
import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';

import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { grouped, texts } from '../../texts/texts.ts';
import { personName } from '../../values/author.ts';
import { faultOf, type Fault } from '../../values/fault.ts';
import { readRules, type EditedRule } from './edited.ts';
import type { GroupNames } from './policy.ts';
import { noFigures, withPage, type Figures, type TriedPayout } from './trial-figures.ts';
import { TrialOne } from './trial-one.tsx';

const words = texts.policy.trial;

interface TrialProps {
  /** As they stand in the editor, saved or not. */
  readonly rules: readonly EditedRule[];
  readonly nameOf: GroupNames;
  readonly purposes: readonly string[];
}

/** What the rules would have done with the payouts of the last 90 days, page by page, and with one that is typed in. */
export function Trial({ rules, nameOf, purposes }: TrialProps) {
  const client = useClient();
  const [figures, setFigures] = useState<Figures | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const run = async () => {
    const given = readRules(rules);
    setUnreadable(typeof given === 'string' ? given : null);
    setFault(null);
    if (typeof given === 'string') return;
    setBusy(true);
    let added = noFigures;
    let after: string | null = null;
    do {
      const { data, error }: Awaited<ReturnType<typeof ask>> = await ask(given, after);
      const page = data?.approvalPolicyTrial;
      if (page == null) {
        setFault(faultOf(error));
        break;
      }
      added = withPage(added, page);
      setFigures(added);
      after = page.next;
    } while (after !== null);
    setBusy(false);
  };
  const ask = (given: Exclude<ReturnType<typeof readRules>, string>, after: string | null) =>
    client
      .query(policyTrialDocument, { rules: given, after }, { requestPolicy: 'network-only' })
      .toPromise();
  return (
    <Card
      title={words.title}
      aside={
        <Button busy={busy} onClick={() => void run()}>
          {words.run}
        </Button>
      }
    >
      <div className="stack">
        <p className="muted">{words.hint}</p>
        <div role="alert">{unreadable !== null && <Note tone="bad">{unreadable}</Note>}</div>
        <FaultNote fault={fault} />
        {figures !== null && <Told figures={figures} />}
        <TrialOne rules={rules} nameOf={nameOf} purposes={purposes} />
      </div>
    </Card>
  );
}

function Told({ figures }: { readonly figures: Figures }) {
  const { examined, passed, blocked, nobody, hours, byApprovals, people, payouts } = figures;
  const approvals = [...byApprovals].toSorted(([one], [other]) => one - other);
  const deciders = [...people.values()].toSorted((one, other) => other.payouts - one.payouts);
  return (
    <>
      {nobody > 0 && <Note tone="bad">{words.nobodyMeans({ count: nobody })}</Note>}
      <Facts
        facts={[
          [words.examined, grouped(examined)],
          [words.passed, grouped(passed)],
          ...approvals.map(([count, of]) => [words.needs({ count }), grouped(of)] as const),
          [words.blocked, grouped(blocked)],
          [words.nobody, grouped(nobody)],
          [words.hours, grouped(Math.round(hours))],
          ...deciders.map(
            ({ member, payouts: of }) =>
              [words.couldDecide({ name: personName(member) }), grouped(of)] as const,
          ),
        ]}
      />
      {payouts.length > 0 && (
        <Table
          caption={words.lookInto}
          rows={payouts}
          rowId={({ id }) => id}
          columns={[
            {
              name: 'payee',
              title: words.payee,
              cell: ({ id, payout }) => (
                <Link to="/payouts/$id" params={{ id }}>
                  {payout?.beneficiaryName ?? id}
                </Link>
              ),
            },
            {
              name: 'amount',
              title: words.amount,
              cell: ({ payout }) =>
                payout !== null && <Amount minor={payout.amountMinor} currency={payout.currency} />,
            },
            {
              name: 'created',
              title: words.created,
              cell: ({ payout }) => payout !== null && <Time at={payout.createdAt} />,
            },
            { name: 'becomes', title: words.becomes, cell: becomes },
          ]}
        />
      )}
    </>
  );
}

function becomes({ effect, approvals, nobodyCanApprove }: TriedPayout): string {
  if (nobodyCanApprove) return texts.payoutSteps.states.stuck;
  return effect === 'require' ? words.needs({ count: approvals }) : texts.policy.effects[effect];
}
