import type { BankCheckPartsFragment } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { Card } from '../card.tsx';
import { StateMark, type Tone } from '../state.tsx';
import { Table } from '../table.tsx';
import { Time } from '../time.tsx';

const words = texts.banks.checks;

const tones: Readonly<Record<BankCheckPartsFragment['outcome'], Tone>> = {
  passed: 'good',
  failed: 'bad',
  waiting: 'wait',
  not_needed: 'calm',
};

/** Each step of a connection in the order in which a payment needs it, with its result. */
export function Checks({ checks }: { readonly checks: readonly BankCheckPartsFragment[] }) {
  return (
    <Card title={words.title} flush aside={<span className="muted small">{words.lead}</span>}>
      <Table
        caption={words.title}
        rows={checks}
        rowId={({ step }) => step}
        columns={[
          {
            name: 'step',
            title: words.step,
            cell: ({ step, problems }) => (
              <div className="reading">
                {words.steps[step]}
                {problems.map((problem) => (
                  <p key={problem} className="small">
                    {problem}
                  </p>
                ))}
              </div>
            ),
          },
          {
            name: 'outcome',
            title: words.result,
            cell: ({ outcome }) => (
              <StateMark tone={tones[outcome]}>{words.outcomes[outcome]}</StateMark>
            ),
          },
          {
            name: 'at',
            title: words.at,
            cell: ({ at }) => (at === null ? words.now : <Time at={at} />),
          },
        ]}
      />
    </Card>
  );
}
