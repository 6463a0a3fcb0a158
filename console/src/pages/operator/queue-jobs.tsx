import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorJobsQuery } from '../../../../generated/console-types/graphql.ts';
import { OfBusiness, SubjectLink } from './place.tsx';
import {
  operatorJobRetryDocument,
  operatorJobsDocument,
} from '../../../../generated/console-types/pages/operator/queue.ts';
import { Reasoned } from './reasoned.tsx';

const words = texts.operator.queue;

export type Job = OperatorJobsQuery['operatorJobs']['edges'][number]['node'];

const tones: Readonly<Record<Job['state'], Tone>> = {
  ready: 'wait',
  scheduled: 'calm',
  retrying: 'wait',
  running: 'go',
  paused: 'calm',
  dead: 'bad',
};

/** The jobs: all of them, or those of a task, a state or a thing that they are about. */
export function Jobs() {
  const { task, state, subject, ...place } = useSearch({ from: '/shell/operator/queue' });
  const navigate = useNavigate({ from: '/operator/queue' });
  const choice = {
    ...(task === undefined ? {} : { task }),
    ...(subject === undefined ? {} : { subject }),
  };
  const withState = state === undefined ? choice : { ...choice, state };
  const fresh = useFresh(operatorJobsDocument, {
    ...forwards(place),
    task: task ?? null,
    state: state ?? null,
    subjectId: subject ?? null,
  });
  const [asked, setAsked] = useState<Job | null>(null);
  const of = task ?? subject;
  return (
    <Card
      title={of === undefined ? words.jobs : words.jobsOf({ what: of })}
      flush
      aside={
        of !== undefined && (
          <Link to="/operator/queue" search={{}}>
            {words.allJobs}
          </Link>
        )
      }
    >
      <div className="card-body filters">
        <Choice
          label={words.state}
          options={words.jobStates}
          any={words.anyState}
          value={state}
          onChange={(chosen) =>
            void navigate({ search: chosen === undefined ? choice : { ...choice, state: chosen } })
          }
        />
      </div>
      <Listing
        caption={words.jobs}
        fresh={fresh}
        page={fresh.data?.operatorJobs ?? null}
        place={place}
        onPlace={(to) => void navigate({ search: { ...withState, ...to } })}
        versionOf={(row) => `${row.state} ${row.attempts}`}
        empty={<Empty title={Object.keys(withState).length > 0 ? words.noneFits : words.none} />}
        columns={jobColumns(setAsked)}
      />
      <RetryDialog job={asked} onClose={() => setAsked(null)} onDone={fresh.refresh} />
    </Card>
  );
}

interface RetryProps {
  /** Null while nothing is asked. */
  readonly job: Job | null;
  onClose(): void;
  onDone(): void;
}

/** Asks why a job is retried, and retries it. */
export function RetryDialog({ job, onClose, onDone }: RetryProps) {
  const retry = useAct(operatorJobRetryDocument);
  return (
    <Reasoned
      title={words.retryOf({ job: job?.id ?? '' })}
      action={words.retry}
      open={job !== null}
      command={retry}
      variables={(reason) => ({ id: job?.id ?? '', reason })}
      onClose={onClose}
      onDone={onDone}
    >
      <p>{words.retryMeans}</p>
    </Reasoned>
  );
}

/** What the list shows of each job, with a way to retry it. */
export function jobColumns(ask: (job: Job) => void): readonly Column<Job>[] {
  return [
    {
      name: 'job',
      title: words.job,
      cell: ({ id, task: name, subjectId }) => (
        <>
          {name} <span className="muted">{id}</span>
          <div className="muted small">
            {subjectId !== null && <SubjectLink about={subjectId} />}
          </div>
        </>
      ),
    },
    { name: 'of', title: words.of, cell: ({ of }) => <OfBusiness of={of} /> },
    {
      name: 'state',
      title: words.state,
      cell: (row) => <StateMark tone={tones[row.state]}>{words.jobStates[row.state]}</StateMark>,
    },
    {
      name: 'attempts',
      title: words.attempts,
      align: 'end',
      cell: ({ attempts, maxAttempts }) => words.attemptsOf({ made: attempts, most: maxAttempts }),
    },
    {
      name: 'error',
      title: words.error,
      cell: ({ lastError }) => <div className="reading small">{lastError ?? '–'}</div>,
    },
    { name: 'due', title: words.due, cell: ({ runAt }) => <Time at={runAt} /> },
    {
      name: 'actions',
      title: words.actions,
      cell: (row) =>
        (row.state === 'dead' || row.state === 'retrying') && (
          <Button onClick={() => ask(row)} aria-label={words.retryOf({ job: row.id })}>
            {words.retry}
          </Button>
        ),
    },
  ];
}
