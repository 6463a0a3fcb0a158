import { identifyProcess, parentOf } from '../postgres/process.ts';

const pauseMs = 500;
/** Between npm and a script of package.json stands a shell at most. */
const mostBetween = 3;

/** The processes from this one's parent up to npm; none where npm does not run it. */
function upToNpm(): number[] {
  const found: number[] = [];
  let pid: number | null = process.ppid;
  while (pid !== null && found.length < mostBetween) {
    found.push(pid);
    const command = identifyProcess(pid)?.command ?? '';
    if (/\bnpm\b/.test(command)) return found;
    pid = parentOf(pid);
  }
  return [];
}

/**
 * Calls `end` once when the npm that runs this process has ended, however: npm passes a signal on to the shell that it
 * starts, and nothing at all when it is killed. Does nothing where npm does not run it, so that who starts the program
 * itself may leave it behind.
 */
export function onNpmEnd(end: () => void): void {
  const watched = upToNpm().map((pid) => ({ pid, startedAt: identifyProcess(pid)?.startedAt }));
  if (watched.length === 0) return;
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
