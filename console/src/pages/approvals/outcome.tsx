import { useEffect, useRef } from 'react';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { texts } from '../../texts/en.ts';
import type { Decision } from './rows.ts';

const words = texts.approvals.done;

/** What became of a decision on some payouts. */
export interface Decided {
  readonly decision: Decision;
  /** Ids of those that were moved. */
  readonly done: readonly string[];
  readonly refused: readonly { readonly id: string; readonly name: string; readonly why: string }[];
}

/** Says what a decision did, and of each payout that was refused why. */
export function Outcome({ decided }: { readonly decided: Decided | null }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (decided === null) return;
    // The decision is made at the lower edge of the window, far from here on a phone.
    place.current?.scrollIntoView({ block: 'nearest' });
    const { decision, done, refused } = decided;
    const said = [words[decision](done.length)];
    if (refused.length > 0) said.push(words.refused(refused.length));
    announce(said.join(' '));
  }, [decided]);
  if (decided === null) return null;
  const { decision, done, refused } = decided;
  return (
    <div ref={place} className="stack">
      {done.length > 0 && <Note tone="good">{words[decision](done.length)}</Note>}
      {refused.length > 0 && (
        <Note tone="bad">
          <p>{words.refused(refused.length)}</p>
          <ul>
            {refused.map(({ id, name, why }) => (
              <li key={id}>{`${name}: ${why}`}</li>
            ))}
          </ul>
        </Note>
      )}
    </div>
  );
}
