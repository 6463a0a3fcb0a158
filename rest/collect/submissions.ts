import { createHash, randomBytes } from 'node:crypto';

/** How long a finished submission is remembered, and how many are. */
const memoryMs = 10 * 60_000;
const memorySize = 5_000;

/** What names one drawing of a page that can be sent. */
export function newVisit(): string {
  return randomBytes(16).toString('base64url');
}

export interface Submissions<T> {
  /** The submission of this visit that is under way or went well; undefined where there is none. */
  known(token: string, visit: unknown): Promise<T> | undefined;
  /** Runs a submission and remembers it, unless the visit is none of ours. */
  run(token: string, visit: unknown, submit: () => Promise<T>): Promise<T>;
}

function keyOf(token: string, visit: unknown): string | null {
  if (typeof visit !== 'string' || !/^[\w-]{16,64}$/.test(visit)) return null;
  return createHash('sha256').update(`${token}.${visit}`).digest('base64url');
}

/**
 * Submissions that are under way or succeeded, by the visit that they were sent from. A double click,
 * or a reload of the answer, is the same submission again and gets the same answer. Another visit
 * with the same link is somebody who comes too late, and is told so.
 *
 * They are remembered in this process alone; the database decides who was first. When the second
 * click reaches another process, the page says that the link was used, which is true as well.
 * @param isDone whether a submission succeeded; others are forgotten, since they may be corrected
 */
export function createSubmissions<T>(isDone: (result: T) => boolean): Submissions<T> {
  const remembered = new Map<string, Promise<T>>();

  function keep(key: string, result: Promise<T>): void {
    remembered.set(key, result);
    const [oldest] = remembered.keys();
    if (remembered.size > memorySize && oldest !== undefined) remembered.delete(oldest);
    const forget = () => {
      if (remembered.get(key) === result) remembered.delete(key);
    };
    result.then((value) => {
      if (isDone(value)) setTimeout(forget, memoryMs).unref();
      else forget();
    }, forget);
  }

  return {
    known(token, visit) {
      const key = keyOf(token, visit);
      return key === null ? undefined : remembered.get(key);
    },
    run(token, visit, submit) {
      const key = keyOf(token, visit);
      const result = submit();
      if (key !== null) keep(key, result);
      return result;
    },
  };
}
