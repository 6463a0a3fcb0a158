import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { noAnswerLimitMs, rows } from '../../db/pool.ts';
import {
  tellApart,
  type KnownLine,
  type ReportedMovement,
  type ToldLine,
  type Used,
} from './same-movement.ts';
import type { FileReading } from './staged.ts';

/** The lines of a large file take one statement longer than the service's login may work on one. */
export const patiently = { query_timeout: noAnswerLimitMs };

/** Lines that are told apart at a time, apart from the rest of a group that are alike. */
const together = 5_000;

/**
 * One file at a time: of two that tell of the same movement at the same moment, the later one finds it. As an item of FROM,
 * Citus takes the lock on the tenant's node.
 */
const lockMovements = named(
  'lock_bank_movements',
  ['tenant', 'connection'],
  `
    SELECT pg_advisory_xact_lock(hashtextextended('bank movements ' || c.tenant_id || c.id, 0))::text AS locked
    FROM bank_connection c WHERE c.tenant_id = @tenant AND c.id = @connection`,
);

const staged = `
      FROM bank_report r CROSS JOIN LATERAL jsonb_to_record(r.report) AS s (
        statement integer, fingerprint text, likeness text, names jsonb, id text, direction text,
        "amountMinor" bigint, currency text, "orderedMinor" bigint, "orderedCurrency" text, reversal boolean,
        "isFee" boolean, "bookedOn" text, "bankReference" text, "bankCode" text, "endToEndId" text,
        "instructionId" text, "traceNumber" text, "batchIds" text[], "batchCount" integer, "returnCode" text, doubt text,
        "accountCurrency" text
      )
      WHERE r.tenant_id = @tenant AND r.file_id = @file AND r.reading = @reading AND r.kind = 'line'`;

/** Only that a line is a remainder is known before its payments are. One that names no batch says nothing of any payment. */
const insert = (naturalKey: string, likeness: string, names: string, from: string): string => `
    INSERT INTO bank_line (
      tenant_id, id, connection_id, file_id, natural_key, likeness, bank_names, direction, amount_minor, currency,
      ordered_minor, ordered_currency, reversal, is_fee, booked_on, bank_reference, bank_code, end_to_end_id,
      instruction_id, trace_number, batch_ids, batch_count, return_code, match, doubt,
      account_currency
    )
    SELECT @tenant, l.id, @connection, @file, ${naturalKey}, ${likeness}, ${names}, l.direction, l."amountMinor",
      l.currency, l."orderedMinor", l."orderedCurrency", l.reversal, l."isFee", l."bookedOn", l."bankReference",
      l."bankCode", l."endToEndId", l."instructionId", l."traceNumber", l."batchIds", l."batchCount", l."returnCode",
      CASE WHEN l.doubt = 'remainder' AND cardinality(l."batchIds") = 0 THEN 'unmatched' ELSE 'open' END, CASE WHEN l.doubt = 'remainder' THEN l.doubt END,
      l."accountCurrency"
    FROM ${from}
    ORDER BY ${naturalKey}
    ON CONFLICT (tenant_id, connection_id, natural_key) DO NOTHING`;

/**
 * SQL: a movement that begins with a key, by one look into an index. As an item of the condition it stays that for every
 * line, where a join could read all lines of the tenant.
 */
const beginsWith = (key: string): string => `(
        SELECT k.id FROM bank_line k
        WHERE k.tenant_id = @tenant AND k.connection_id = @connection
          AND k.natural_key >= ${key} || '.' AND k.natural_key < ${key} || '/' LIMIT 1
      )`;

/** Lines of which none is like another one in the file, or like a movement that is known: most of them. */
const takeSingle = named(
  'take_single_bank_lines',
  ['tenant', 'file', 'reading', 'connection'],
  insert(
    `l.fingerprint || '.1'`,
    'nullif(l.likeness, l.fingerprint)',
    'l.names',
    `(
      SELECT s.*, count(*) OVER (PARTITION BY s.likeness) + count(*) OVER (PARTITION BY s.fingerprint) AS alike
      ${staged}
    ) l
    WHERE l.alike = 2 AND ${beginsWith('l.fingerprint')} IS NULL AND ${beginsWith('l.likeness')} IS NULL
      AND (
        SELECT k.id FROM bank_line k
        WHERE k.tenant_id = @tenant AND k.connection_id = @connection AND k.likeness = l.likeness LIMIT 1
      ) IS NULL`,
  ),
);

/** The next lines that are not stored, in whole groups that are alike in one statement. */
const nextAlike = named(
  'next_alike_bank_lines',
  ['tenant', 'file', 'reading', 'statement', 'likeness', 'take'],
  `
    SELECT r.position, s.statement, s.fingerprint, s.likeness, s.names
    ${staged}
      AND (s.statement, s.likeness) > (@statement::integer, @likeness)
      AND (SELECT k.id FROM bank_line k WHERE k.tenant_id = @tenant AND k.id = s.id LIMIT 1) IS NULL
    ORDER BY s.statement, s.likeness FETCH FIRST (@take::integer) ROWS WITH TIES`,
);

/** The movements that are like some lines, each key by looks into the indexes. */
const knownLike = named(
  'known_bank_lines_like',
  ['tenant', 'connection', 'keys'],
  `
    SELECT DISTINCT k.id, k."naturalKey", k.likeness, k.names
    FROM unnest(@keys::text[]) AS w (key) CROSS JOIN LATERAL (
      SELECT b.id, b.natural_key AS "naturalKey", b.likeness, coalesce(b.bank_names, '{}') AS names FROM bank_line b
      WHERE b.tenant_id = @tenant AND b.connection_id = @connection
        AND b.natural_key >= w.key || '.' AND b.natural_key < w.key || '/'
      UNION ALL
      SELECT b.id, b.natural_key, b.likeness, coalesce(b.bank_names, '{}') FROM bank_line b
      WHERE b.tenant_id = @tenant AND b.connection_id = @connection AND b.likeness = w.key OFFSET 0
    ) k
    ORDER BY k.id`,
);

const takeFresh = named(
  'take_fresh_bank_lines',
  ['tenant', 'file', 'reading', 'connection', 'fresh'],
  insert(
    'l."naturalKey"',
    'l.without',
    'l.names',
    `(
      SELECT s.*, f."naturalKey", f.likeness AS without
      FROM jsonb_to_recordset(@fresh::jsonb) AS f (position integer, "naturalKey" text, likeness text)
      JOIN (SELECT r.position, s.* ${staged}) s USING (position)
    ) l`,
  ),
);

const nameAnew = named(
  'name_bank_lines_anew',
  ['tenant', 'named'],
  `
    UPDATE bank_line l SET bank_names = n.names
    FROM jsonb_to_recordset(@named::jsonb) AS n (id text, names jsonb)
    WHERE l.tenant_id = @tenant AND l.id = n.id`,
);

async function write(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  reading: FileReading,
  connection: string,
  { fresh, named: anew }: ReportedMovement,
): Promise<void> {
  if (fresh.length > 0) {
    const values = { tenant, ...reading, connection, fresh: JSON.stringify(fresh) };
    await rows(client, { ...takeFresh, ...patiently }, takeFresh.of(values));
  }
  if (anew.length > 0)
    await rows(client, nameAnew, nameAnew.of({ tenant, named: JSON.stringify(anew) }));
}

/**
 * Stores the lines of a run that are movements which no file has told of. A line that may be one which is known is told
 * apart by the bank's references (same-movement.ts).
 */
export async function takeLines(
  client: PoolClient,
  scope: Scope,
  reading: FileReading,
  connection: string,
): Promise<void> {
  const { tenantId: tenant } = scope;
  await rows(client, lockMovements, lockMovements.of({ tenant, connection }));
  const values = takeSingle.of({ tenant, ...reading, connection });
  await rows(client, { ...takeSingle, ...patiently }, values);
  const used: Used = new Map();
  for (let statement = 0, likeness = ''; ;) {
    const page = { tenant, ...reading, statement, likeness, take: together };
    const lines = await rows<ToldLine & Record<string, unknown>>(
      client,
      { ...nextAlike, ...patiently },
      nextAlike.of(page),
    );
    const last = lines.at(-1);
    if (last === undefined) return;
    const keys = [...new Set(lines.flatMap((line) => [line.likeness, line.fingerprint]))];
    const known = await rows<KnownLine & Record<string, unknown>>(
      client,
      knownLike,
      knownLike.of({ tenant, connection, keys }),
    );
    await write(client, scope, reading, connection, tellApart(lines, known, used));
    ({ statement, likeness } = last);
  }
}
