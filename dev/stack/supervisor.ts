import { type ChildSpec, supervise } from './child.ts';
import type { linePrinters } from './log-lines.ts';

/** How long a child may drain before it is killed. Its own limit is shorter. */
const usualDrainMs = 25_000;

export interface Supervisor {
  /** Starts the children at once and waits until all are ready. */
  start(specs: readonly ChildSpec[], signal: AbortSignal): Promise<void>;
  /** Process ids of the children that run now, by name. */
  pids(): Record<string, number | null>;
  /** Ends the children in parallel. */
  stop(): Promise<void>;
}

/** Runs child processes together and writes their lines to `write`, each with its child's name. */
export function createSupervisor(
  printerOf: ReturnType<typeof linePrinters>,
  drainMs = usualDrainMs,
): Supervisor {
  const children = new Map<string, ReturnType<typeof supervise>>();
  return {
    start: async (specs, signal) => {
      for (const spec of specs) children.set(spec.name, supervise(spec, printerOf(spec.name)));
      await Promise.all([...children.values()].map((child) => child.ready(signal)));
    },
    pids: () => Object.fromEntries([...children].map(([name, child]) => [name, child.pid()])),
    stop: async () => {
      await Promise.all([...children.values()].map((child) => child.stop(drainMs)));
    },
  };
}
