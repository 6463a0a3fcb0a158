import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
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
      <Icon name="inbox" />
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
      <Icon name="warning" />
      <h2>{fault.title}</h2>
      <p>{fault.text}</p>
      {onRetry && <Button onClick={onRetry}>{texts.action.retry}</Button>}
      {fault.requestId !== null && (
        <p className="small">{texts.failed.request({ id: fault.requestId })}</p>
      )}
    </div>
  );
}
