import type { ReactNode } from 'react';
import type {
  BankBatchStatus,
  BankFileStatus,
} from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';
import { Amount } from '../amount.tsx';
import type { Column } from '../table.tsx';
import { Time } from '../time.tsx';
import { BatchMark, FileMark } from './state.tsx';

const words = texts.banks;

interface ListedBatch {
  readonly fileName: string;
  readonly closedAt: string;
  readonly paymentCount: number;
  readonly controlSumMinor: string;
  readonly currency: string;
  readonly executionDate: string;
  readonly status: BankBatchStatus;
  readonly problem?: string | null;
}

/**
 * The columns of files that were made for banks.
 * @param link makes the way to one, around its name
 */
export function batchColumns<Row extends ListedBatch>(
  link: (row: Row, name: ReactNode) => ReactNode,
): readonly Column<Row>[] {
  return [
    {
      name: 'file',
      title: words.batches.file,
      cell: (row) => (
        <div className="reading">
          {link(row, <code>{row.fileName}</code>)}
          <div className="muted small">
            <Time at={row.closedAt} />
          </div>
          {row.problem && <p className="small">{row.problem}</p>}
        </div>
      ),
    },
    {
      name: 'count',
      title: words.batches.payments,
      align: 'end',
      cell: ({ paymentCount }) => paymentCount,
    },
    {
      name: 'sum',
      title: words.batches.sum,
      align: 'end',
      cell: ({ controlSumMinor, currency }) => (
        <Amount minor={controlSumMinor} currency={currency} aligned />
      ),
    },
    {
      name: 'execution',
      title: words.batches.execution,
      cell: ({ executionDate }) => shortDay(executionDate),
    },
    {
      name: 'state',
      title: words.connection.state,
      cell: ({ status }) => <BatchMark status={status} />,
    },
  ];
}

interface ListedFile {
  readonly name: string;
  readonly format: string | null;
  readonly receivedAt: string;
  readonly status: BankFileStatus;
  readonly problem: string | null;
  readonly problemPlace: string | null;
  /** Who brought it, where the reader may know. */
  readonly takenBy?: string | null;
}

/** The columns of files that came from banks. */
export const fileColumns = <Row extends ListedFile>(): readonly Column<Row>[] => [
  {
    name: 'name',
    title: words.files.name,
    cell: ({ name, format, takenBy }) => (
      <div className="reading">
        <code>{name}</code>
        {format && <div className="muted small">{format}</div>}
        {takenBy && (
          <div className="muted small">{texts.operatorBusiness.bring.by({ who: takenBy })}</div>
        )}
      </div>
    ),
  },
  {
    name: 'received',
    title: words.files.received,
    cell: ({ receivedAt }) => <Time at={receivedAt} />,
  },
  {
    name: 'state',
    title: words.connection.state,
    cell: ({ status, problem, problemPlace }) => (
      <>
        <FileMark status={status} />
        {problem && (
          <p className="small">
            <code>{problem}</code>
          </p>
        )}
        {problemPlace && <p className="muted small">{problemPlace}</p>}
      </>
    ),
  },
];
