import type { TaskList } from 'graphile-worker';

/** The tasks of a worker, of which some are not to be taken up for a while. */
export interface PausableTasks {
  readonly list: TaskList;
  /** Takes up every task but these from the next look for a job on. */
  pause(names: ReadonlySet<string>): void;
}

/**
 * A task list whose tasks can be paused while the worker runs. graphile-worker asks for jobs of the
 * tasks that the list enumerates at that moment, and finds the function of a job by its name: a task
 * that is there without being enumerated is taken up no more, and its jobs under way, also one that
 * was fetched a moment ago, end as ever. Nothing is stopped or started for it, so the other tasks do
 * not notice. With a local queue of graphile-worker's, jobs that it holds already would still run.
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
