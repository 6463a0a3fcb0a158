import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty, Failed } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/en.ts';
import type {
  OperatorJobsQuery,
  OperatorTasksQuery,
} from '../../../../generated/console-types/graphql.ts';
import { OfBusiness } from './place.tsx';
import {
  jobRetryDocument,
  jobsDocument,
  taskPauseDocument,
  taskResumeDocument,
  tasksDocument,
} from './queue.graphql.ts';
import { Reasoned } from './reasoned.tsx';

const words = texts.operator.queue;

/** The tasks of the worker with their jobs; a task is paused and resumed, a job is retried. */
export function QueuePage() {
  const { task, state, subject } = useSearch({ from: '/shell/operator/queue' });
  // Who chose some jobs came for them.
  const isAboutJobs = (task ?? state ?? subject) !== undefined;
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="stack">
        {isAboutJobs && <Jobs />}
        <Tasks />
        {!isAboutJobs && <Jobs />}
      </div>
    </Page>
  );
}

type Task = OperatorTasksQuery['operatorTasks'][number];

interface AskedTask {
  readonly name: string;
  readonly paused: boolean;
}

function Tasks() {
  const { data, fault, refresh } = useFresh(tasksDocument, {});
  const pause = useAct(taskPauseDocument);
  const resume = useAct(taskResumeDocument);
  const [asked, setAsked] = useState<AskedTask | null>(null);
  if (data === null) {
    return fault === null ? <Loading lines={10} /> : <Failed fault={fault} onRetry={refresh} />;
  }
  const shared = {
    variables: (reason: string) => ({ task: asked?.name ?? '', reason }),
    onClose: () => setAsked(null),
    onDone: refresh,
  };
  return (
    <Card title={words.tasks} flush>
      <Table
        caption={words.tasks}
        rows={data.operatorTasks}
        rowId={({ name }) => name}
        columns={taskColumns(setAsked)}
      />
      <Reasoned
        {...shared}
        title={words.pauseOf(asked?.name ?? '')}
        action={words.pause}
        open={asked?.paused === false}
        command={pause}
      >
        <p>{words.pauseMeans}</p>
      </Reasoned>
      <Reasoned
        {...shared}
        title={words.resumeOf(asked?.name ?? '')}
        action={words.resume}
        open={asked?.paused === true}
        command={resume}
      >
        <p>{words.resumeMeans}</p>
      </Reasoned>
    </Card>
  );
}

type Job = OperatorJobsQuery['operatorJobs']['edges'][number]['node'];

const tones: Readonly<Record<Job['state'], Tone>> = {
  ready: 'wait',
  scheduled: 'calm',
  retrying: 'wait',
  running: 'go',
  paused: 'calm',
  dead: 'bad',
};

function Jobs() {
  const { task, state, subject, ...place } = useSearch({ from: '/shell/operator/queue' });
  const navigate = useNavigate({ from: '/operator/queue' });
  const choice = {
    ...(task === undefined ? {} : { task }),
    ...(subject === undefined ? {} : { subject }),
  };
  const withState = state === undefined ? choice : { ...choice, state };
  const fresh = useFresh(jobsDocument, {
    ...forwards(place),
    task: task ?? null,
    state: state ?? null,
    subjectId: subject ?? null,
  });
  const retry = useAct(jobRetryDocument);
  const [asked, setAsked] = useState<Job | null>(null);
  return (
    <Card
      title={words.jobsOf(task ?? subject ?? null)}
      flush
      aside={
        (task ?? subject) !== undefined && (
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
        empty={<Empty title={words.none} />}
        columns={jobColumns(setAsked)}
      />
      <Reasoned
        title={words.retryOf(asked?.id ?? '')}
        action={words.retry}
        open={asked !== null}
        command={retry}
        variables={(reason) => ({ id: asked?.id ?? '', reason })}
        onClose={() => setAsked(null)}
        onDone={fresh.refresh}
      >
        <p>{words.retryMeans}</p>
      </Reasoned>
    </Card>
  );
}

/** What the list shows of each job, with a way to retry it. */
function jobColumns(ask: (job: Job) => void): readonly Column<Job>[] {
  return [
    {
      name: 'job',
      title: words.job,
      cell: ({ id, task: name, subjectId }) => (
        <>
          {name} <span className="muted">{id}</span>
          <div className="muted small">
            <code>{subjectId}</code>
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
      cell: ({ attempts, maxAttempts }) => words.attemptsOf(attempts, maxAttempts),
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
          <Button onClick={() => ask(row)} aria-label={words.retryOf(row.id)}>
            {words.retry}
          </Button>
        ),
    },
  ];
}

/** What the table shows of each task, with a way to pause or resume it. */
function taskColumns(ask: (task: AskedTask) => void): readonly Column<Task>[] {
  return [
    {
      name: 'task',
      title: words.task,
      cell: ({ name, description, pauseReason, pausedBy }) => (
        <div className="reading">
          <Link to="/operator/queue" search={{ task: name }}>
            {name}
          </Link>
          <div className="muted small">{description}</div>
          {pausedBy && <div className="small">{words.pausedFor(pausedBy, pauseReason ?? '')}</div>}
        </div>
      ),
    },
    {
      name: 'ready',
      title: words.ready,
      align: 'end',
      cell: ({ ready, oldestReadySeconds }) =>
        oldestReadySeconds == null ? ready : words.waited(ready, oldestReadySeconds),
    },
    { name: 'running', title: words.running, align: 'end', cell: ({ running }) => running },
    {
      name: 'retrying',
      title: words.retrying,
      align: 'end',
      cell: ({ retrying }) => retrying,
    },
    {
      name: 'dead',
      title: words.dead,
      align: 'end',
      cell: ({ dead, name }) =>
        dead === 0 ? (
          0
        ) : (
          <Link to="/operator/queue" search={{ task: name, state: 'dead' }}>
            {dead}
          </Link>
        ),
    },
    {
      name: 'failed',
      title: words.failed,
      align: 'end',
      cell: ({ failedLately }) => failedLately,
    },
    {
      name: 'actions',
      title: words.actions,
      cell: ({ name, pausedAt }) => (
        <Button
          onClick={() => ask({ name, paused: Boolean(pausedAt) })}
          aria-label={pausedAt ? words.resumeOf(name) : words.pauseOf(name)}
        >
          {pausedAt ? words.resume : words.pause}
        </Button>
      ),
    },
  ];
}
