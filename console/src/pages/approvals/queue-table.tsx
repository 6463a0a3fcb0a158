import { Amount } from '../../parts/amount.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Since } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { nameOf, type WaitingPayout } from './rows.ts';

const words = texts.approvals;

interface QueueTableProps {
  readonly rows: readonly WaitingPayout[];
  readonly active: WaitingPayout | null;
  readonly selected: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly selectable: boolean;
  onShow(row: WaitingPayout): void;
  onToggle(row: WaitingPayout): void;
  /** What each key does, while the focus is in the list. */
  readonly keys: Readonly<Record<string, () => unknown>>;
}

/** The queue as a table. Its keys are heard only while the focus is inside. */
export function QueueTable(props: QueueTableProps) {
  const { rows, selected, changed, keys } = props;
  const press = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const act = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (act === undefined || ctrlKey || metaKey || altKey || shiftKey) return;
    event.preventDefault();
    act();
  };
  const hear = (list: HTMLDivElement) => {
    list.addEventListener('keydown', press);
    return () => list.removeEventListener('keydown', press);
  };
  return (
    // The rows' own buttons have the focus; this only hears the keys that they do not use.
    <div ref={hear} className="queue">
      <Table
        caption={words.caption}
        rows={rows}
        rowId={({ id }) => id}
        columns={columnsOf(props)}
        changed={changed}
        selected={selected}
        keys={false}
      />
    </div>
  );
}

function columnsOf(props: QueueTableProps): Column<WaitingPayout>[] {
  const { active, selected, selectable, onShow, onToggle } = props;
  const select: Column<WaitingPayout> = {
    name: 'select',
    place: 'select',
    label: words.column.select,
    title: <span className="hidden">{words.column.select}</span>,
    cell: (row) => (
      <input
        type="checkbox"
        checked={selected.has(row.id)}
        aria-label={words.select({ name: nameOf(row) })}
        onChange={() => onToggle(row)}
      />
    ),
  };
  const facts: Column<WaitingPayout>[] = [
    {
      name: 'payee',
      place: 'lead',
      title: words.column.payee,
      cell: (row) => (
        <span className="queue-payee">
          <button
            type="button"
            className="row-open"
            aria-pressed={row.id === active?.id}
            onClick={() => onShow(row)}
          >
            {nameOf(row)}
          </button>
          <Heed row={row} />
        </span>
      ),
    },
    {
      name: 'amount',
      place: 'figure',
      title: words.column.amount,
      align: 'end',
      cell: (row) => <Amount minor={row.amountMinor} currency={row.currency} aligned />,
    },
    {
      name: 'account',
      place: 'state',
      title: words.column.account,
      cell: ({ destination }) => destination.maskedAccount,
    },
    {
      name: 'waits',
      place: 'time',
      title: words.column.waits,
      cell: (row) => <Since at={row.updatedAt} />,
    },
  ];
  return selectable ? [select, ...facts] : facts;
}

/** What of a payout wants a second look. */
function Heed({ row }: { readonly row: WaitingPayout }) {
  const { account, similar, changes, mine, failed } = words.heed;
  const { sameAmount } = row.similarPayouts;
  const changed = row.changesSinceCreation.some(({ kind }) => kind !== 'account_changed');
  return (
    <>
      {row.accountChanges.length > 0 && <StateMark tone="bad">{account}</StateMark>}
      {row.approval.obstacles.includes('four_eyes') && <StateMark tone="calm">{mine}</StateMark>}
      {row.failedBefore !== null && <StateMark tone="bad">{failed}</StateMark>}
      {sameAmount > 0 && <StateMark tone="wait">{similar({ n: sameAmount })}</StateMark>}
      {changed && <StateMark tone="wait">{changes}</StateMark>}
    </>
  );
}
