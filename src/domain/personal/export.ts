import type { PoolClient } from 'pg';
import { requirePermission, type Actor } from '../../access/scope.ts';
import { columnName } from '../../db/columns.ts';
import { named, type NamedStatement } from '../../db/named.ts';
import { firstRow, inTransaction, rows } from '../../db/pool.ts';
import { invalid, notFound } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';
import type { ErasureGround } from './erase.ts';
import { holdings, type Holding, type Sealed } from './holdings.ts';
import { subjectQueries, type Subjects } from './subjects.ts';

/** Payouts of one page; with everything that belongs to them a page stays below some megabytes. */
const payoutsOfPage = 500;

/** What a business holds about one payee. */
export interface PersonalData {
  readonly beneficiaryId: string;
  /** Lists of rows with the names of their columns, identifiers and documents' numbers in clear. */
  readonly data: Readonly<Record<string, readonly object[]>>;
  /** Id of the last payout of the page, after which the next one begins; null after the last page. */
  readonly nextPayoutsAfter: string | null;
}

const inStatement: Subjects = {
  tenant: '@tenant',
  beneficiary: '@beneficiary',
  accounts: '@accounts::text[]',
  requests: '@requests::uuid[]',
  enrollments: '@enrollments::text[]',
  payouts: '@payouts::text[]',
  attempts: '@attempts::text[]',
};

const parameters = Object.keys(inStatement) as (keyof Subjects)[];
type FoundSubjects = Record<keyof Subjects, unknown> & { readonly tenant: string };

function statement(name: string, text: string): NamedStatement<keyof Subjects> {
  const used = parameters.filter((parameter) => text.includes(`@${parameter}`));
  const made = named(`personal_data_${name}`, used, text);
  return { ...made, of: (values) => made.of(values) };
}

/** A list of the export, and the statement that reads it. */
interface Section {
  readonly name: string;
  readonly ofPayouts: boolean;
  readonly opens: readonly (readonly [column: string, sealed: Sealed])[];
  readonly statement: NamedStatement<keyof Subjects>;
}

function sectionOf({ table, of, exported }: Holding): Section[] {
  if (exported === undefined) return [];
  const { as, fields, without = [], opens = {}, key = ['id'] } = exported;
  const hidden = ['tenant_id', ...without, ...Object.keys(opens)];
  const shown = Object.keys(fields)
    .map(columnName)
    .filter((column) => !hidden.includes(column));
  const condition = of(inStatement);
  const order = key.map((column) => `t.${column}`).join(', ');
  const columns = [...shown, ...Object.keys(opens)].map((column) => `t.${column}`);
  const text = `
    SELECT ${columns.join(', ')}, concat_ws('.', ${order}) AS "_place"
    FROM ${table} t WHERE ${condition} ORDER BY ${order}`;
  const ofPayouts = condition.includes(inStatement.payouts);
  return [{ name: as, ofPayouts, opens: Object.entries(opens), statement: statement(as, text) }];
}

const sections = holdings.flatMap(sectionOf);

const idsOfPayee = (['accounts', 'requests', 'enrollments'] as const).map(
  (subject) =>
    [subject, statement(`ids_of_${subject}`, subjectQueries[subject](inStatement))] as const,
);

const pageOfPayouts = named(
  'personal_data_page_of_payouts',
  ['tenant', 'beneficiary', 'after', 'most'],
  `
    SELECT p.id FROM payout p
    WHERE p.tenant_id = @tenant AND p.beneficiary_id = @beneficiary AND p.id > @after
    ORDER BY p.id LIMIT @most`,
);

const insertRecord = named(
  'record_personal_data_export',
  ['tenant', 'beneficiary', 'actor'],
  `
    INSERT INTO personal_data_record (tenant_id, beneficiary_id, kind, actor)
    SELECT b.tenant_id, b.id, 'exported', @actor::jsonb
    FROM beneficiary b WHERE b.tenant_id = @tenant AND b.id = @beneficiary
    RETURNING id`,
);

type PersonalRow = Readonly<Record<string, unknown>> & {
  /** What its ciphertexts are bound to. */
  readonly _place: string;
};

/** A value as JSON has it. Amounts and numbers of events are far below 2^53. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? Number(value) : value;
}

/** A row with its ciphertexts opened. What is JSON inside is shown as JSON. */
function open(call: Call, { opens }: Section, { _place: row, ...columns }: PersonalRow): object {
  const { keyring } = call.services;
  const shown = new Map(Object.entries(columns).map(([name, value]) => [name, plain(value)]));
  for (const [column, { field, json }] of opens) {
    const sealed = columns[column] as Uint8Array | null;
    const place = { tenantId: call.scope.tenantId, row, field };
    const text = sealed === null ? null : keyring.decrypt(sealed, place);
    shown.delete(column);
    // A row that is not carried over yet has the value in clear, in the column of the field's name.
    if (text === null && shown.has(field)) continue;
    shown.set(field, json && text !== null ? (JSON.parse(text) as unknown) : text);
  }
  return Object.fromEntries(shown);
}

async function readSections(
  client: PoolClient,
  call: Call,
  found: FoundSubjects,
  first: boolean,
): Promise<PersonalData['data']> {
  const data: Record<string, readonly object[]> = {};
  for (const section of sections.filter(({ ofPayouts }) => first || ofPayouts)) {
    const values = section.statement.of(found);
    const read = await rows<PersonalRow>(client, section.statement, values);
    data[section.name] = read.map((row) => open(call, section, row));
  }
  return data;
}

async function idsOf(
  client: PoolClient,
  ids: NamedStatement<keyof Subjects>,
  found: FoundSubjects,
): Promise<string[]> {
  return (await rows<{ id: string }>(client, ids, ids.of(found))).map(({ id }) => id);
}

/**
 * Everything that the business holds about one payee, in clear, as the law entitles the payee to get it: the
 * first page has all of it with the first 500 payouts, each further one the next 500. Each page is one
 * snapshot, and who took it is recorded with it.
 *
 * @param payoutsAfter `nextPayoutsAfter` of the page before; null for the first page
 *
 * Throws forbidden, validation_failed for what is no id of a payout, not_found.
 */
export async function exportPersonalData(
  call: Call,
  id: string,
  payoutsAfter: string | null,
): Promise<PersonalData> {
  const { services, scope } = call;
  requirePermission(scope, 'payees:disclose');
  if (payoutsAfter !== null && !isId('payout', payoutsAfter)) {
    const message = 'Send next_payouts_after of the page before, or nothing.';
    throw invalid([{ field: 'payoutsAfter', code: 'invalid_id', message }]);
  }
  if (!isId('beneficiary', id)) throw notFound('beneficiary');
  return inTransaction(services.pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    const payee = { tenant: scope.tenantId, beneficiary: id };
    const record = insertRecord.of({ ...payee, actor: JSON.stringify(scope.actor) });
    if ((await firstRow(client, insertRecord, record)) === null) throw notFound('beneficiary');
    const after = pageOfPayouts.of({
      ...payee,
      after: payoutsAfter ?? '',
      most: payoutsOfPage + 1,
    });
    const payouts = (await rows<{ id: string }>(client, pageOfPayouts, after)).map(
      ({ id: one }) => one,
    );
    const page = payouts.slice(0, payoutsOfPage);
    const none = { accounts: [], requests: [], enrollments: [], attempts: [] };
    const found: FoundSubjects = { ...payee, ...none, payouts: page };
    for (const [subject, ids] of idsOfPayee) found[subject] = await idsOf(client, ids, found);
    const data = await readSections(client, call, found, payoutsAfter === null);
    const more = payouts.length > page.length;
    return { beneficiaryId: id, data, nextPayoutsAfter: more ? (page.at(-1) ?? null) : null };
  });
}

/** One line of what was done with a payee's data. */
export interface PersonalDataRecord {
  readonly id: string;
  readonly kind: 'deleted' | 'erased' | 'exported';
  readonly ground: ErasureGround | null;
  readonly actor: Actor;
  readonly occurredAt: Date;
}

const recordsOfPayee = named(
  'personal_data_records',
  ['tenant', 'beneficiary', 'most'],
  `
    SELECT r.id, r.kind, r.ground, r.actor, r.occurred_at AS "occurredAt" FROM personal_data_record r
    WHERE r.tenant_id = @tenant AND r.beneficiary_id = @beneficiary ORDER BY r.id DESC LIMIT @most`,
);

const mostRecords = 100;

/** The latest 100 records about a payee, newest first, also of one who was deleted; none for an unknown payee. Throws forbidden. */
export function readPersonalDataRecords(
  { services, scope }: Call,
  id: string,
): Promise<PersonalDataRecord[]> {
  requirePermission(scope, 'read');
  if (!isId('beneficiary', id)) return Promise.resolve([]);
  const values = { tenant: scope.tenantId, beneficiary: id, most: mostRecords };
  return rows<PersonalDataRecord>(services.pool, recordsOfPayee, recordsOfPayee.of(values));
}
