import type { ReactNode } from 'react';
import type { Fault } from '../values/fault.ts';
import { Icon, type IconName } from './icon.tsx';

type NoteTone = 'bad' | 'wait' | 'good' | 'calm';

const shapes: Readonly<Record<NoteTone, IconName>> = {
  bad: 'fault',
  wait: 'warning',
  good: 'approval',
  calm: 'note',
};

interface NoteProps {
  readonly tone?: NoteTone;
  readonly children: ReactNode;
}

/** A remark beside the data. */
export function Note({ tone = 'calm', children }: NoteProps) {
  return (
    <div className="note" data-tone={tone}>
      <Icon name={shapes[tone]} />
      <div>{children}</div>
    </div>
  );
}

/** Why an action was refused, read out as soon as it is there; nothing without a fault. */
export function FaultNote({ fault }: { readonly fault: Fault | null }) {
  return (
    <div role="alert">
      {fault !== null && (
        <Note tone="bad">
          <strong>{fault.title}</strong> {fault.text}
          {fault.details.length > 0 && (
            <ul>
              {fault.details.map(({ field, message }) => (
                <li key={`${field} ${message}`}>{message}</li>
              ))}
            </ul>
          )}
        </Note>
      )}
    </div>
  );
}
