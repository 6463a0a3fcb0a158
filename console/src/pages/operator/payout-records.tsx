import { useState } from 'react';
import { Card } from '../../parts/card.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorPayoutPageQuery } from '../../../../generated/console-types/graphql.ts';
import { jobColumns, RetryDialog, type Job } from './queue-jobs.tsx';

const words = texts.operatorPayout;

interface JobsProps {
  readonly jobs: readonly Job[];
  onActed(): void;
}

/** The jobs about the payout that have not ended, with a way to retry them. */
export function PayoutJobs({ jobs, onActed }: JobsProps) {
  const [asked, setAsked] = useState<Job | null>(null);
  return (
    <Card title={words.jobs.title} flush>
      {jobs.length === 0 ? (
        <p className="card-body muted">{words.jobs.none}</p>
      ) : (
        <Table
          caption={words.jobs.title}
          rows={jobs}
          rowId={({ id }) => id}
          columns={jobColumns(setAsked).filter(({ name }) => name !== 'of')}
        />
      )}
      <RetryDialog job={asked} onClose={() => setAsked(null)} onDone={onActed} />
    </Card>
  );
}

type Line = OperatorPayoutPageQuery['operatorActions']['edges'][number]['node'];

/** What operators did about the payout. */
export function PayoutLog({ lines }: { readonly lines: readonly Line[] }) {
  const names = texts.operator.log;
  return (
    <Card title={words.log.title} flush>
      {lines.length === 0 ? (
        <p className="card-body muted">{words.log.none}</p>
      ) : (
        <Table
          caption={words.log.title}
          rows={lines}
          rowId={({ id }) => id}
          columns={[
            { name: 'at', title: names.at, cell: ({ at }) => <Time at={at} /> },
            { name: 'who', title: names.who, cell: ({ person }) => person },
            { name: 'action', title: names.action, cell: ({ action }) => <code>{action}</code> },
            {
              name: 'reason',
              title: names.reason,
              cell: ({ reason }) => <div className="reading">{reason || '–'}</div>,
            },
            { name: 'outcome', title: names.outcome, cell: ({ outcome }) => outcome ?? '–' },
          ]}
        />
      )}
    </Card>
  );
}
