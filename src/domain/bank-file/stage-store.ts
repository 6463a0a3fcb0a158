import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import type { FileReading, Staged } from './staged.ts';
import { patiently, takeLines } from './take-lines.ts';

const beginReading = named(
  'begin_bank_file_reading',
  ['tenant', 'file'],
  `
    UPDATE bank_file f SET reading = f.reading + 1
    WHERE f.tenant_id = @tenant AND f.id = @file AND f.status = 'received'
    RETURNING f.reading`,
);

const dropReports = named(
  'drop_bank_reports',
  ['tenant', 'file', 'below'],
  `
    DELETE FROM bank_report r
    WHERE r.tenant_id = @tenant AND r.file_id = @file AND r.reading < @below::integer`,
);

/** Begins a run; null where the file was read. A run before it that is still at work changes nothing from here on. */
export async function openReading(
  client: Queryable,
  { tenantId: tenant }: Scope,
  file: string,
): Promise<FileReading | null> {
  const begun = await firstRow<{ reading: number }>(
    client,
    beginReading,
    beginReading.of({ tenant, file }),
  );
  if (begun === null) return null;
  await rows(client, dropReports, dropReports.of({ tenant, file, below: begun.reading }));
  return { file, reading: begun.reading };
}

/** Deletes what was staged of a file. */
export async function dropStaged(
  client: Queryable,
  { tenantId: tenant }: Scope,
  file: string,
): Promise<void> {
  await rows(client, dropReports, dropReports.of({ tenant, file, below: 2_147_483_647 }));
}

const insertReports = named(
  'insert_bank_reports',
  ['tenant', 'file', 'reading', 'position', 'reports'],
  `
    INSERT INTO bank_report (tenant_id, file_id, reading, position, kind, report)
    SELECT @tenant, @file, @reading, @position::integer + r.n, r.report ->> 'kind', r.report
    FROM bank_file f, jsonb_array_elements(@reports::jsonb) WITH ORDINALITY AS r (report, n)
    WHERE f.tenant_id = @tenant AND f.id = @file AND f.status = 'received' AND f.reading = @reading::integer`,
);

/** Stores the next reports of a run, after the first `position` of them; nothing where a later one has begun. */
export async function stageReports(
  client: Queryable,
  { tenantId: tenant }: Scope,
  { file, reading }: FileReading,
  position: number,
  staged: readonly Staged[],
): Promise<void> {
  const values = { tenant, file, reading, position, reports: JSON.stringify(staged) };
  await rows(client, insertReports, insertReports.of(values));
}

const endReading = named(
  'end_bank_file_reading',
  ['tenant', 'file', 'reading', 'status', 'format', 'message', 'problem', 'place'],
  `
    UPDATE bank_file f SET status = @status, format = @format, message_id = @message, problem = @problem,
      problem_place = @place, read_at = now()
    WHERE f.tenant_id = @tenant AND f.id = @file AND f.status = 'received' AND f.reading = @reading
    RETURNING f.id`,
);

/** What is known of a file by its head. */
interface FileHead {
  readonly format: string | null;
  readonly messageId: string | null;
}

export type ReadingEnd =
  | { readonly status: 'read'; readonly head: FileHead | null }
  | {
      readonly status: 'unreadable' | 'dismissed';
      readonly head: FileHead | null;
      readonly problem: string;
      readonly place: string;
    };

/** Ends a run; false where a later one has begun. */
export async function closeReading(
  client: Queryable,
  { tenantId: tenant }: Scope,
  { file, reading }: FileReading,
  end: ReadingEnd,
): Promise<boolean> {
  const { problem = null, place = null } = end.status === 'read' ? {} : end;
  const values = {
    tenant,
    file,
    reading,
    status: end.status,
    format: end.head?.format ?? null,
    message: end.head?.messageId ?? null,
    problem,
    place,
  };
  return (await firstRow(client, endReading, endReading.of(values))) !== null;
}

const takeStatements = named(
  'take_bank_statements',
  ['tenant', 'file', 'reading', 'connection', 'anew'],
  `
    INSERT INTO bank_statement (
      tenant_id, file_id, number, connection_id, kind, bank_id, own, currency, page, last_page, copy, opening_minor,
      closing_minor, closing_day, entries, unexplained_minor
    )
    SELECT @tenant, @file, s.number, @connection, s."statementKind", s."bankId", s.own, s.currency, s.page,
      s."lastPage", s.copy, s."openingMinor", s."closingMinor", s."closingDay", s.entries, s."unexplainedMinor"
    FROM bank_file f JOIN bank_report r ON r.tenant_id = f.tenant_id AND r.file_id = f.id
    CROSS JOIN LATERAL jsonb_to_record(r.report) AS s (
      number integer, "statementKind" text, "bankId" text, own boolean, currency text, page integer,
      "lastPage" boolean, copy text, "openingMinor" bigint, "closingMinor" bigint, "closingDay" text,
      entries integer, "unexplainedMinor" bigint
    )
    WHERE r.tenant_id = @tenant AND r.file_id = @file AND r.reading = @reading AND r.kind = 'statement'
      AND f.tenant_id = @tenant AND f.id = @file AND f.counted_before = @anew::boolean
    ON CONFLICT (tenant_id, file_id, number) DO UPDATE SET own = excluded.own, currency = excluded.currency,
      opening_minor = excluded.opening_minor, closing_minor = excluded.closing_minor, closing_day = excluded.closing_day`,
);

const dropTaken = named(
  'drop_taken_bank_reports',
  ['tenant', 'file'],
  `
    DELETE FROM bank_report r
    WHERE r.tenant_id = @tenant AND r.file_id = @file AND (r.kind = 'line' OR r.kind = 'statement' AND NOT EXISTS (
      SELECT 1 FROM bank_file f WHERE f.tenant_id = @tenant AND f.id = @file AND f.counted_before
    ))`,
);

/** Makes the statements and lines of a run known, all at once. A movement that another file told of is left out. */
export async function takeOver(
  client: PoolClient,
  scope: Scope,
  reading: FileReading,
  connection: string,
): Promise<void> {
  const { tenantId: tenant } = scope;
  const { file } = reading;
  await client.query('SET LOCAL statement_timeout = 0');
  const values = { tenant, ...reading, connection, anew: false };
  await rows(client, takeStatements, takeStatements.of(values));
  await takeLines(client, scope, reading, connection);
  await rows(client, { ...dropTaken, ...patiently }, dropTaken.of({ tenant, file }));
}

/**
 * Takes the statements of a run over that reads a file once more. It is called when the run is applied: until then those
 * count which an earlier run took.
 */
export async function takeStatementsAnew(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  reading: FileReading,
  connection: string,
): Promise<void> {
  const values = { tenant, ...reading, connection, anew: true };
  await rows(client, takeStatements, takeStatements.of(values));
}

const stagedOfKind = named(
  'staged_bank_reports',
  ['tenant', 'file', 'kind', 'after', 'take'],
  `
    SELECT r.position, r.report FROM bank_report r
    JOIN bank_file f ON f.tenant_id = r.tenant_id AND f.id = r.file_id AND f.reading = r.reading
    WHERE r.tenant_id = @tenant AND r.file_id = @file AND r.kind = @kind AND r.position > @after::integer
    ORDER BY r.position LIMIT @take`,
);

/** The reports of a kind that the latest run staged, in their order, after a position. */
export function findStaged<S extends Staged>(
  client: Queryable,
  { tenantId: tenant }: Scope,
  file: string,
  page: { readonly kind: S['kind']; readonly after: number; readonly take: number },
): Promise<{ position: number; report: S }[]> {
  return rows(client, stagedOfKind, stagedOfKind.of({ tenant, file, ...page }));
}
