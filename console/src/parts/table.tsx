import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';

export interface Column<Row> {
  /** Its key among the columns. */
  readonly name: string;
  readonly title: ReactNode;
  /** What stands before the value where rows are stacked, on a phone; `title` where that is a text. */
  readonly label?: string;
  readonly align?: 'start' | 'end';
  /**
   * Where the value stands on a phone, in a card of two lines: what the row is and its figure, below them its state and
   * its time. `rest` is left to the page of the row. A column without a place has a line of its own with its title.
   */
  readonly place?: 'select' | 'lead' | 'figure' | 'state' | 'time' | 'rest';
  cell(row: Row): ReactNode;
}

interface TableProps<Row> {
  /** What the table holds, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  rowId(row: Row): string;
  /** Ids of rows that changed since the reader saw them, by `useChanges`. */
  readonly changed?: ReadonlySet<string>;
  readonly selected?: ReadonlySet<string>;
  /** Whether each row becomes a block of lines on a phone; true by default. */
  readonly stacks?: boolean;
  /** Whether the arrows, and j and k, move the focus from row to row; true by default. */
  readonly keys?: boolean;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
const stops = 'a[href], button, input';

/** Moves the focus to the first control of the next row, or of the one before. */
function moveFocus(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
  const step = steps[key];
  if (step === undefined || ctrlKey || metaKey || altKey || shiftKey) return;
  if (!(target instanceof Element) || target.matches('select, textarea, [type=text], [type=radio]'))
    return;
  // A dialog of a row is no part of it.
  const row = target.closest('dialog, [popover], tr');
  const rows = [...(row?.parentElement?.children ?? [])].filter((one) => one.querySelector(stops));
  const at = row === null ? -1 : rows.indexOf(row);
  if (at < 0 || row?.tagName !== 'TR') return;
  event.preventDefault();
  rows[at + step]?.querySelector<HTMLElement>(stops)?.focus();
}

/** Hears the keys of whatever has the focus in the rows. */
function hears(body: HTMLTableSectionElement) {
  body.addEventListener('keydown', moveFocus);
  return () => body.removeEventListener('keydown', moveFocus);
}

/** A table of rows. It says of a row that changed under the reader, by word and colour. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowId, changed, selected, stacks = true, keys = true } = props;
  return (
    <div className="table-frame">
      <table className="table" data-stacks={stacks}>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, title, align }) => (
              <th key={name} scope="col" data-align={align}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={keys ? hears : null}>
          {rows.map((row) => {
            const id = rowId(row);
            const isChanged = changed?.has(id) ?? false;
            return (
              <tr key={id} data-row={id} data-changed={isChanged} aria-selected={selected?.has(id)}>
                {columns.map((column, index) => (
                  <td
                    key={column.name}
                    data-align={column.align}
                    data-place={column.place}
                    data-label={labelOf(column)}
                  >
                    <span>
                      {column.cell(row)}
                      {index === 0 && isChanged && (
                        <span className="changed-mark"> {texts.table.changed}</span>
                      )}
                    </span>
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const labelOf = <Row,>({ label, title }: Column<Row>): string | undefined =>
  label ?? (typeof title === 'string' ? title : undefined);
