import { begunByNpm } from './config.ts';
import { identifyProcess, parentOf } from '../postgres/process.ts';

const pauseMs = 500;
/** Between npm and a script of package.json stands a shell at most. */
const mostBetween = 3;

interface Watched {
  readonly pid: number;
  readonly startedAt: string;
}

/** The processes from this one's parent up to npm; none where npm does not run it, or has ended. */
function upToNpm(): Watched[] {
  const found: Watched[] = [];
  let pid: number | null = process.ppid;
  while (pid !== null && found.length < mostBetween) {
    const identity = identifyProcess(pid);
    if (identity === null) return [];
    found.push({ pid, startedAt: identity.startedAt });
    if (/\bnpm\b/.test(identity.command)) return found;
    pid = parentOf(pid);
  }
  return [];
}

/**
 * Calls `end` once when the npm that runs this process has ended, however: npm passes a signal on to the shell that it
 * starts, and nothing at all when it is killed. Calls it at once where `npm start` began this process and has ended
 * already. Does nothing where npm does not run it, so that who starts the program itself may leave it behind.
 */
export function onNpmEnd(end: () => void): void {
  const watched = upToNpm();
  if (watched.length === 0) {
    if (begunByNpm()) end();
    return;
  }
  const timer = setInterval(() => {
    const all = watched.every(
      ({ pid, startedAt }) => identifyProcess(pid)?.startedAt === startedAt,
    );
    if (all) return;
    clearInterval(timer);
    end();
  }, pauseMs);
  timer.unref();
}
