import type { TaskList } from 'graphile-worker';

/** The tasks of a worker, of which some can be paused. */
export interface PausableTasks {
  readonly list: TaskList;
  /** From the next look for jobs on, takes jobs of every task but these. */
  pause(names: ReadonlySet<string>): void;
}

/**
 * A task list whose tasks can be paused while the worker runs. graphile-worker asks for jobs of the
 * tasks that the list enumerates at that moment, and finds the function of a job by its name. So no
 * job is taken of a task whose property is not enumerable, while those that were taken before run to their
 * end: at most one for each slot is under way, and one more waits for it for a few seconds (`batchesOf` in
 * run.ts). Nothing is stopped or started, so other tasks are not affected.
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
