import type { TaskList } from 'graphile-worker';

/** The tasks of a worker, of which some can be paused. */
export interface PausableTasks {
  readonly list: TaskList;
  /** From the next look for a job on, starts jobs of every task but these. */
  pause(names: ReadonlySet<string>): void;
}

/**
 * A task list whose tasks can be paused while the worker runs. graphile-worker asks for jobs of the
 * tasks that the list enumerates at that moment, and finds the function of a job by its name. So no
 * job starts of a task whose property is not enumerable, while its jobs under way, also one that was
 * fetched a moment ago, end as usual. Nothing is stopped or started, so other tasks are not affected.
 * With graphile-worker's local queue, the jobs that it holds already would still run.
 */
export function pausable(list: TaskList): PausableTasks {
  return {
    list,
    pause(names) {
      for (const name of Object.getOwnPropertyNames(list)) {
        const enumerable = !names.has(name);
        if (Object.prototype.propertyIsEnumerable.call(list, name) === enumerable) continue;
        Object.defineProperty(list, name, { enumerable });
      }
    },
  };
}
