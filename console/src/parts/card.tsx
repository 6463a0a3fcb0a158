import { useId, type ReactNode } from 'react';

interface CardProps {
  readonly title?: string;
  /** Beside the title: a figure, a link to more. */
  readonly aside?: ReactNode;
  /** Whether the content reaches the edges, as a table does. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A part of a page with its heading. A list without one is the page itself, and has no frame. */
export function Card({ title, aside, flush = false, children }: CardProps) {
  const id = useId();
  return (
    <section
      className="card"
      data-plain={flush && title === undefined}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title !== undefined && (
        <div className="card-head">
          <h2 id={id}>{title}</h2>
          {aside}
        </div>
      )}
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
}
