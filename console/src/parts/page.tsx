import { useEffect, useRef, type ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { useKeptFocus } from './kept-focus.ts';
import { StaleLine } from './stale.tsx';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** What can be done with the page as a whole. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/**
 * The frame of a page: its title, in the window too. A reader who comes from another page of the console
 * finds the focus on the heading, as after a load of the browser's own, and what is gone leaves it near its place.
 */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const page = useRef<HTMLDivElement>(null);
  useKeptFocus(page);
  useEffect(() => {
    document.title = texts.title({ page: title });
  }, [title]);
  useEffect(() => {
    if (cameByLink()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="page" ref={page}>
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      <StaleLine />
      {children}
    </div>
  );
}

let pages = 0;

/** Whether this is another page than the first of the window. */
function cameByLink(): boolean {
  pages += 1;
  return pages > 1;
}
