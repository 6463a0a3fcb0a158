import type { PayoutCreateInput } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { CsvError, readCsv, type CsvRecord } from '../../values/csv.ts';
import { fileMarks, minorOf } from '../../values/money.ts';
import { keyOf } from './row-key.ts';

const words = texts.import;

export const columnNames = [
  'beneficiary_id',
  'bank_account_id',
  'amount',
  'currency',
  'purpose_of_payment',
  'external_ref',
  'idempotency_key',
] as const;
export type ColumnName = (typeof columnNames)[number];
const optional: readonly ColumnName[] = ['external_ref', 'idempotency_key'];

/** What the list of refused rows has beside: it is corrected and chosen again as it is. */
export const noteColumns = ['line', 'why'] as const;

/** So many rows a file may have, and so many bytes. */
const mostRows = 1_000;
const mostBytes = 2_000_000;

/** A row of the file: its cells as they stand there, and the payout that they ask for. */
export interface FileRow {
  readonly line: number;
  readonly cells: Readonly<Record<ColumnName, string>>;
  /** Null for a row that is refused before it is sent. */
  readonly input: PayoutCreateInput | null;
  /** Why it is refused; null where it is not. */
  readonly fault: string | null;
}

/** The rows of a file, or why it cannot be read at all. */
export type FileRead = { readonly rows: readonly FileRow[] } | { readonly problem: string };

/**
 * Reads a file. A row without a key gets one from its content, so that the same row has the same key in every upload; of
 * equal rows in one file the second is refused, since nobody can say whether it is meant.
 */
export async function readRows(file: File): Promise<FileRead> {
  if (file.size > mostBytes) return { problem: words.problem.tooLarge };
  const text = utf8Text(await file.arrayBuffer());
  if (text === null) return { problem: words.problem.encoding };
  let records: CsvRecord[];
  try {
    records = readCsv(text);
  } catch (error) {
    if (error instanceof CsvError)
      return { problem: words.problem.quotes({ line: String(error.line) }) };
    throw error;
  }
  const [head, ...body] = records;
  if (head === undefined || body.length === 0) return { problem: words.problem.empty };
  if (body.length > mostRows) return { problem: words.problem.tooMany({ n: body.length }) };
  const names = head.cells.map((name) => name.trim().toLowerCase());
  const problem = columnsProblem(names);
  if (problem !== null) return { problem };
  const uneven = body.find(({ cells }) => cells.length !== names.length);
  if (uneven !== undefined) return { problem: words.problem.quotes({ line: String(uneven.line) }) };

  const lines = new Map<string, number>();
  const rows: FileRow[] = [];
  for (const { line, cells } of body) {
    const named = Object.fromEntries(
      columnNames.map((name) => [name, cells[names.indexOf(name)] ?? '']),
    ) as Record<ColumnName, string>;
    const row = await readRow(line, named);
    const key = row.input?.idempotencyKey;
    const earlier = key === undefined ? undefined : lines.get(key);
    if (key !== undefined && earlier === undefined) lines.set(key, line);
    rows.push(
      earlier === undefined
        ? row
        : { ...row, input: null, fault: words.fault.twice({ line: String(earlier) }) },
    );
  }
  return { rows };
}

/** The text of a file; null for another encoding, whose letters would be replaced in the references. */
function utf8Text(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function columnsProblem(names: readonly string[]): string | null {
  const missing = columnNames.filter((name) => !optional.includes(name) && !names.includes(name));
  if (missing.length > 0) return words.problem.columns({ names: missing.join(', ') });
  // Of two columns with amounts nobody can say which one is meant.
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return words.problem.twice({ name: twice });
  const known = new Set<string>([...columnNames, ...noteColumns]);
  const unknown = names.filter((name) => !known.has(name));
  return unknown.length > 0 ? words.problem.unknown({ names: unknown.join(', ') }) : null;
}

async function readRow(line: number, cells: Record<ColumnName, string>): Promise<FileRow> {
  const missing = columnNames.find((name) => !optional.includes(name) && cells[name] === '');
  if (missing !== undefined) {
    return { line, cells, input: null, fault: words.fault.missing({ name: missing }) };
  }
  const currency = cells.currency.toUpperCase();
  const amountMinor = minorOf(cells.amount, currency, fileMarks);
  if (amountMinor === null) return { line, cells, input: null, fault: words.fault.amount };
  const input = {
    beneficiaryId: cells.beneficiary_id,
    bankAccountId: cells.bank_account_id,
    amountMinor,
    currency,
    purposeOfPayment: cells.purpose_of_payment,
    externalRef: cells.external_ref === '' ? null : cells.external_ref,
  };
  const given = cells.idempotency_key;
  const idempotencyKey = given === '' ? await keyOf(input) : given;
  return { line, cells, input: { ...input, idempotencyKey }, fault: null };
}
