import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import type { Fault } from '../values/fault.ts';
import { texts } from '../texts/texts.ts';

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** A list that has nothing: it says so, why, and what to do about it. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="blank">
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden>
        <path d="M3 13.5 6.2 5.6A2 2 0 0 1 8 4.4h8a2 2 0 0 1 1.8 1.2L21 13.5v4.1a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z" />
        <path d="M3 13.5h5l1.4 2.6h5.2L16 13.5h5" />
      </svg>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

interface FailedProps {
  readonly fault: Fault;
  onRetry?(): void;
}

/** What could not be read: why, and a way to try again. The request's id helps who is asked. */
export function Failed({ fault, onRetry }: FailedProps) {
  return (
    <div className="blank" role="alert">
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden>
        <path d="M12 8v5m0 3.2v.1M10.3 4.3 2.6 17.6A2 2 0 0 0 4.3 20.6h15.4a2 2 0 0 0 1.7-3L13.7 4.3a2 2 0 0 0-3.4 0z" />
      </svg>
      <h2>{fault.title}</h2>
      <p>{fault.text}</p>
      {onRetry && <Button onClick={onRetry}>{texts.action.retry}</Button>}
      {fault.requestId !== null && (
        <p className="small">{texts.failed.request({ id: fault.requestId })}</p>
      )}
    </div>
  );
}
