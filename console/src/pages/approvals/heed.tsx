import { Note } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { Named } from './named.tsx';
import { nameOf, type WaitingPayout } from './rows.ts';

const words = texts.approvals;

interface RowsProps {
  readonly rows: readonly WaitingPayout[];
}

/** What of the payouts to be approved wants a second look: possible doubles, accounts that failed, payees that changed. */
export function Heed({ rows }: RowsProps) {
  const { doubles, failed, changes } = words.ask;
  const kinds = [
    [doubles, rows.filter(({ similarPayouts }) => similarPayouts.sameAmount > 0)],
    [failed, rows.filter(({ failedBefore }) => failedBefore !== null)],
    [changes, rows.filter(({ changesSinceCreation }) => changesSinceCreation.length > 0)],
  ] as const;
  return kinds.map(
    ([said, found]) =>
      found.length > 0 && (
        <Note key={said({ count: found.length })} tone="wait">
          <p>{said({ count: found.length })}</p>
          <Named rows={found} />
        </Note>
      ),
  );
}

/** Payouts that the reader cannot approve, by why not. */
export function Barred({ rows }: RowsProps) {
  const groups = [...Map.groupBy(rows, ({ approval }) => approval.obstacles.join(' ')).values()];
  return groups.map((group) => {
    const [first] = group;
    const why = first?.approval.obstacles ?? [];
    if (first === undefined) return null;
    if (group.length === 1) {
      const said = why.map((obstacle) => words.obstacles[obstacle]).join(' ');
      return <p key={first.id}>{`${nameOf(first)}: ${said}`}</p>;
    }
    const said = why.map((obstacle) => words.obstaclesOfMany[obstacle]).join(' ');
    return (
      <div key={first.id}>
        <p>{groups.length === 1 ? said : words.ask.group({ count: group.length, why: said })}</p>
        <Named rows={group} />
      </div>
    );
  });
}
