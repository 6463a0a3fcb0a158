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

/** A list is asked for anew so often while its window is seen. */
const refreshMs = 15_000;
/** After a failure the wait doubles up to this. */
const slowestMs = 120_000;

/** The options of a refresh that nobody asked for. */
const quietly = () =>
  ({ requestPolicy: 'network-only', fetchOptions: requestOptions('background') }) as const;

/**
 * A query that is asked anew by itself: each 15 seconds while the window is seen, at once when it is seen
 * again, and less often while the service fails. What was read before is shown while it is on its way, and when
 * it does not come.
 *
 * @param everyMs null for what is not asked anew by itself, since somebody fills it in
 */
export function useFresh<Data extends object, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { everyMs = refreshMs, pause = false }: { everyMs?: number | null; pause?: boolean } = {},
): Fresh<Data> {
  const [{ data, error, fetching, operation }, execute] = useQuery({
    query,
    variables,
    pause,
    requestPolicy: 'cache-and-network',
  });
  const failures = useRef(0);
  useEffect(() => {
    if (!fetching) failures.current = error === undefined ? 0 : failures.current + 1;
  }, [fetching, error]);

  useEffect(() => {
    if (pause || everyMs === null) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const refresh = () => {
      if (document.visibilityState === 'visible') execute(quietly());
    };
    const wait = () => {
      const ms = Math.min(everyMs * 2 ** failures.current, Math.max(everyMs, slowestMs));
      timer = setTimeout(() => {
        refresh();
        wait();
      }, ms);
    };
    wait();
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [everyMs, execute, pause]);

  // The hook keeps the last answer while the next is on its way; rows of other filters are not for this list.
  const key = stringifyVariables(variables);
  const isOfThese = operation !== undefined && stringifyVariables(operation.variables) === key;
  const fault = error === undefined ? null : faultOf(error);
  const kept = useKept(key, isOfThese ? data : null, fault !== null);
  useStale(kept.readAt, fault);
  return {
    data: kept.data,
    fault,
    fetching,
    refresh: () => execute({ requestPolicy: 'network-only' }),
  };
}
