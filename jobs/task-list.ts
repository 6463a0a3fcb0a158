import type { TaskList } from 'graphile-worker';
import type { Services } from '../src/process/services.ts';
import { traced, traceOf } from '../src/process/tracing.ts';
import { declarationOf, taskNames } from '../src/queue/tasks.ts';
import { tellableError } from './failure.ts';
import { handlers } from './handlers.ts';
import type { Heartbeat } from './heartbeat.ts';

/** Thrown so that a run does not complete a job that another worker has taken over. */
class JobLost extends Error {
  constructor() {
    super('this worker stopped responding for so long that its job was given to another');
  }
}

/** The tasks of one run. */
interface RunningTasks {
  readonly list: TaskList;
  /** How many jobs are worked on now. */
  underWay(): number;
}

/** The functions that graphile-worker calls, by the names of the tasks. */
export function toTaskList(services: Services, heartbeat: Promise<Heartbeat>): RunningTasks {
  let underWay = 0;
  const list = taskNames.map((name) => {
    const { payload: schema } = declarationOf(name);
    // The payload that a task's schema gives is the one that its handler takes.
    const handle = handlers[name] as (payload: unknown, services: Services) => Promise<void>;
    const handler: TaskList[string] = async (payload, { job }) => {
      const started = performance.now();
      const startedAt = Date.now();
      underWay += 1;
      try {
        await traced({ name: `job ${name}`, kind: 'consumer', parent: traceOf(payload) }, () =>
          handle(schema.parse(payload), services),
        );
        if (!(await (await heartbeat).holds(job.id, startedAt))) throw new JobLost();
      } catch (error) {
        throw tellableError(error);
      } finally {
        underWay -= 1;
      }
      services.log.debug({ task: name, ms: Math.round(performance.now() - started) }, 'job');
    };
    return [name, handler];
  });
  return { list: Object.fromEntries(list) as TaskList, underWay: () => underWay };
}
