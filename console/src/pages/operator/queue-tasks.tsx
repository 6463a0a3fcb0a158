import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorTasksQuery } from '../../../../generated/console-types/graphql.ts';
import {
  operatorTaskPauseDocument,
  operatorTaskResumeDocument,
  operatorTasksDocument,
} from '../../../../generated/console-types/pages/operator/queue.ts';
import { Reasoned } from './reasoned.tsx';

const words = texts.operator.queue;

type Task = OperatorTasksQuery['operatorTasks'][number];

interface AskedTask {
  readonly name: string;
  readonly paused: boolean;
}

/** Whether there is nothing to see or do about a task: none of its jobs is due, runs or has failed. */
const isIdle = ({ pausedAt, ready, running, retrying, dead, failedLately }: Task): boolean =>
  !pausedAt && ready + running + retrying + dead + failedLately === 0;

/**
 * A task that is paused or resumed may move between the lists, and its button with the focus is made anew: the focus
 * goes with it, or to the line behind which the task is folded away.
 * @returns takes the name of a task that was changed, before the lists are read again
 */
function useFocusOfChanged(data: unknown): (name: string) => void {
  const changed = useRef<string | null>(null);
  useEffect(() => {
    const name = changed.current;
    changed.current = null;
    if (name === null || document.activeElement !== document.body) return;
    const button = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(name)}"] button`);
    const fold = button?.closest('details');
    (fold?.open === false ? fold.querySelector('summary') : button)?.focus();
  }, [data]);
  return (name) => {
    changed.current = name;
  };
}

/** The tasks that have something to do, and folded away those that have not. */
export function Tasks() {
  const fresh = useFresh(operatorTasksDocument, {});
  const { data, refresh } = fresh;
  const pause = useAct(operatorTaskPauseDocument);
  const resume = useAct(operatorTaskResumeDocument);
  const [asked, setAsked] = useState<AskedTask | null>(null);
  const changed = useFocusOfChanged(data);
  if (data === null) return <Pending of={fresh} lines={10} />;
  const idle = data.operatorTasks.filter(isIdle);
  const busy = data.operatorTasks.filter((task) => !isIdle(task));
  const columns = taskColumns(setAsked);
  const shared = {
    variables: (reason: string) => ({ task: asked?.name ?? '', reason }),
    onClose: () => setAsked(null),
    onDone: () => {
      changed(asked?.name ?? '');
      refresh();
    },
  };
  return (
    <Card title={words.tasks} flush>
      {busy.length === 0 ? (
        <p className="card-body muted">{words.allIdle}</p>
      ) : (
        <Table caption={words.tasks} rows={busy} rowId={({ name }) => name} columns={columns} />
      )}
      {idle.length > 0 && (
        <details className="folded">
          <summary>{words.idle({ count: idle.length })}</summary>
          <Table
            caption={words.idle({ count: idle.length })}
            rows={idle}
            rowId={({ name }) => name}
            columns={columns}
          />
        </details>
      )}
      <Reasoned
        {...shared}
        title={words.pauseOf({ task: asked?.name ?? '' })}
        action={words.pause}
        open={asked?.paused === false}
        command={pause}
      >
        <p>{words.pauseMeans}</p>
      </Reasoned>
      <Reasoned
        {...shared}
        title={words.resumeOf({ task: asked?.name ?? '' })}
        action={words.resume}
        open={asked?.paused === true}
        command={resume}
      >
        <p>{words.resumeMeans}</p>
      </Reasoned>
    </Card>
  );
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
          {pausedBy && (
            <div className="small">
              {words.pausedFor({ who: pausedBy, why: pauseReason ?? '' })}
            </div>
          )}
        </div>
      ),
    },
    {
      name: 'ready',
      title: words.ready,
      align: 'end',
      cell: ({ ready, oldestReadySeconds }) =>
        oldestReadySeconds == null
          ? ready
          : words.waited({ jobs: ready, seconds: oldestReadySeconds }),
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
          aria-label={pausedAt ? words.resumeOf({ task: name }) : words.pauseOf({ task: name })}
        >
          {pausedAt ? words.resume : words.pause}
        </Button>
      ),
    },
  ];
}
