import { useEffect, useRef } from 'react';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { Named } from './named.tsx';
import { nameOf, type Decision, type WaitingPayout } from './rows.ts';

const words = texts.approvals.done;
const { group } = texts.approvals.ask;

interface Refused {
  readonly row: WaitingPayout;
  readonly why: string;
}

/** What became of a decision on some payouts. */
export interface Decided {
  readonly decision: Decision;
  /** Ids of those that were moved. */
  readonly done: readonly string[];
  readonly refused: readonly Refused[];
}

/** Says what a decision did, and why payouts were refused. */
export function Outcome({ decided }: { readonly decided: Decided | null }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (decided === null) return;
    // The decision is made at the lower edge of the window, far from here on a phone.
    place.current?.scrollIntoView({ block: 'nearest' });
    const { decision, done, refused } = decided;
    const said = [words[decision]({ count: done.length })];
    if (refused.length > 0) said.push(words.refused({ count: refused.length }));
    announce(said.join(' '));
  }, [decided]);
  if (decided === null) return null;
  const { decision, done, refused } = decided;
  return (
    <div ref={place} className="stack">
      {done.length > 0 && <Note tone="good">{words[decision]({ count: done.length })}</Note>}
      {refused.length > 0 && (
        <Note tone="bad">
          <p>{words.refused({ count: refused.length })}</p>
          {[...Map.groupBy(refused, ({ why }) => why)].map(([why, some]) => (
            <Why key={why} why={why} rows={some.map(({ row }) => row)} />
          ))}
        </Note>
      )}
    </div>
  );
}

function Why({ why, rows }: { readonly why: string; readonly rows: readonly WaitingPayout[] }) {
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return <p>{`${nameOf(only)}: ${why}`}</p>;
  return (
    <div>
      <p>{group({ count: rows.length, why })}</p>
      <Named rows={rows} />
    </div>
  );
}
