import { useEffect, useRef } from 'react';
import { stringifyVariables, useQuery, type AnyVariables, type TypedDocumentNode } from 'urql';
import { requestOptions } from './client.ts';
import { useStale } from '../parts/stale.tsx';
import { faultOf, type Fault } from '../values/fault.ts';
import { useKept } from './kept.ts';

/** What a page has of a query that refreshes by itself. */
export interface Fresh<Data> {
  /** The latest answer; null until there is one. One that failed leaves that of the one before. */
  readonly data: Data | null;
  /** Why the latest refresh failed. Where there is `data`, the page says since when it is old by itself. */
  readonly fault: Fault | null;
  readonly fetching: boolean;
  /** Asks anew at once. */
  refresh(): void;
}

interface FreshOptions<Data> {
  /**
   * How often it is asked anew, also by what was read. Null for what is not asked anew by itself, since somebody
   * fills it in.
   */
  readonly everyMs?: number | null | ((data: Data | null) => number);
  readonly pause?: boolean;
}

/** A list is asked for anew so often while its window is seen. */
const refreshMs = 15_000;
/** After a failure the wait doubles up to this. */
const slowestMs = 120_000;

/** The options of a refresh that nobody asked for. */
const quietly = () =>
  ({ requestPolicy: 'network-only', fetchOptions: requestOptions('background') }) as const;

const everything = new EventTarget();

/** Asks anew at once for all that the page shows. */
export const refreshAll = (): void => void everything.dispatchEvent(new Event('refresh'));

/** Calls a listener when it is time to ask anew at once: the window is seen or connected again, or all is asked for. */
function whenWanted(listener: () => void): () => void {
  const wants = [
    [document, 'visibilitychange'],
    [window, 'online'],
    [everything, 'refresh'],
  ] as const;
  for (const [target, type] of wants) target.addEventListener(type, listener);
  return () => {
    for (const [target, type] of wants) target.removeEventListener(type, listener);
  };
}

/**
 * A query that is asked anew by itself: each 15 seconds while the window is seen, at once when it is seen
 * again, and less often while the service fails. What was read before is shown while it is on its way, and when
 * it does not come.
 */
export function useFresh<Data extends object, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { everyMs = refreshMs, pause = false }: FreshOptions<Data> = {},
): Fresh<Data> {
  const [{ data, error, fetching, operation }, execute] = useQuery({
    query,
    variables,
    pause,
    requestPolicy: 'cache-and-network',
  });
  // The hook keeps the last answer while the next is on its way; rows of other filters are not for this list.
  const key = stringifyVariables(variables);
  const isOfThese = operation !== undefined && stringifyVariables(operation.variables) === key;
  const fault = error === undefined ? null : faultOf(error);
  const hasFailed = fault !== null;
  const kept = useKept(key, isOfThese ? data : null, hasFailed);
  useStale(kept.readAt, fault);

  const failures = useRef(0);
  useEffect(() => {
    if (!fetching) failures.current = hasFailed ? failures.current + 1 : 0;
  }, [fetching, hasFailed]);

  const wanted = typeof everyMs === 'function' ? everyMs(kept.data) : everyMs;
  // What failed is asked for until it comes.
  const periodMs = hasFailed ? (wanted ?? refreshMs) : wanted;
  useEffect(() => {
    if (pause || periodMs === null) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const refresh = () => {
      if (document.visibilityState === 'visible') execute(quietly());
    };
    const wait = () => {
      const ms = Math.min(periodMs * 2 ** failures.current, Math.max(periodMs, slowestMs));
      timer = setTimeout(() => {
        refresh();
        wait();
      }, ms);
    };
    wait();
    const stop = whenWanted(refresh);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [periodMs, execute, pause]);

  return {
    data: kept.data,
    fault,
    fetching,
    refresh: () => execute({ requestPolicy: 'network-only' }),
  };
}
