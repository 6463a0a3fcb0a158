import type { z } from 'zod';
import type { TaskName, Tasks } from '../src/queue/queue.ts';
import type { Services } from '../src/process/services.ts';

/** A task of the worker: its name, the schema of its payload, and what it does. */
export interface Task<T extends TaskName = TaskName> {
  readonly name: T;
  readonly schema: z.ZodType<Tasks[T]>;
  /** Must be safe to repeat: a job runs again when its process dies. */
  readonly handle: (payload: Tasks[T], services: Services) => Promise<void>;
}

/** Defines a task; the payload's schema must fit the one that commands enqueue with. */
export function task<T extends TaskName>(
  name: T,
  schema: z.ZodType<Tasks[T]>,
  handle: Task<T>['handle'],
): Task<T> {
  return { name, schema, handle };
}
