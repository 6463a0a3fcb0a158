import { useBlocker, useRouter, type AsyncRouteComponent } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { texts } from '../texts/texts.ts';

const words = texts.failed.notLoaded;

/** Loads the file of a page; whether it is there. */
async function load(component: unknown): Promise<boolean> {
  const page = component as Partial<AsyncRouteComponent<unknown>> | undefined;
  await page?.preload?.();
  // The router takes this function away once the file is there, and keeps to itself why it is not.
  return page?.preload === undefined;
}

/**
 * Lets nobody leave a page for one whose file cannot be loaded, since what they typed would be lost for nothing: it says
 * so, and where they can open it.
 */
export function NotLoaded() {
  const router = useRouter();
  const [missing, setMissing] = useState<string | null>(null);
  const latest = useRef(0);
  const shouldBlockFn = useCallback(
    async ({ next }: { next: { routeId: string; pathname: string; search: object } }) => {
      latest.current += 1;
      const turn = latest.current;
      const routes: Readonly<Record<string, { readonly options: { component?: unknown } }>> =
        router.routesById;
      const isThere = await load(routes[next.routeId]?.options.component);
      // Whoever chose another page meanwhile goes there.
      if (turn !== latest.current) return true;
      const { pathname, search } = next;
      setMissing(isThere ? null : router.buildLocation({ to: pathname, search }).publicHref);
      return !isThere;
    },
    [router],
  );
  useBlocker({ shouldBlockFn, enableBeforeUnload: false });
  if (missing === null) return null;
  return (
    <div className="stale small" role="status">
      <p>{words.text}</p>
      <p className="row">
        <a href={missing} target="_blank" rel="noreferrer">
          {words.open}
        </a>
        {/* A browser that failed to import a file does not try it again before the page is loaded anew. */}
        <a href={missing}>{words.leave}</a>
      </p>
    </div>
  );
}
