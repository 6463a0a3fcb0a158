import { z } from 'zod';
import {
  Prisma,
  type LedgerEntry,
  type PayoutTransition,
} from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named, type NamedStatement } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { dateTime, text } from '../../values/fields.ts';
import { inAskedOrder, mostChildren } from '../children.ts';
import type { PageRange } from '../page-range.ts';
import { ledgerKinds } from './names.ts';

/** Conditions of a list of entries; all of them hold. An id that is unknown matches nothing. */
export const entriesFilter = z.strictObject({
  payoutId: text().nullish(),
  kind: z.array(z.enum(ledgerKinds)).min(1).nullish(),
  recordedSince: dateTime.nullish(),
  recordedBefore: dateTime.nullish(),
});
export type EntriesFilter = z.input<typeof entriesFilter>;
export type EntriesConditions = z.output<typeof entriesFilter>;

const selected = columns(Prisma.LedgerEntryScalarFieldEnum, 'e');

const bounds = ['lowAt', 'lowId', 'highAt', 'highId'] as const;
const parameters = ['tenant', 'kinds', ...bounds, 'take'] as const;

const between = `(e.recorded_at, e.id) > (@lowAt::text::timestamptz, @lowId::text)
        AND (e.recorded_at, e.id) < (@highAt::text::timestamptz, @highId::text)`;

type Direction = 'ASC' | 'DESC';

/** The entries of some kinds: each kind is read from its place in the index, and no more of it than wanted. */
const ofKinds = (direction: Direction): string => `
    SELECT l.* FROM unnest(@kinds::text[]) AS g(kind) CROSS JOIN LATERAL (
      SELECT e.* FROM ledger_entry e
      WHERE e.tenant_id = @tenant AND e.kind = g.kind AND ${between}
      ORDER BY e.recorded_at ${direction}, e.id ${direction} LIMIT @take
    ) l`;

/** The entries of a payout are few, and sorted after they are found. */
const ofPayout = `
    SELECT e.* FROM (
      SELECT o.* FROM ledger_entry o WHERE o.tenant_id = @tenant AND o.payout_id = @payout OFFSET 0
    ) e
    WHERE e.kind = ANY (@kinds::text[]) AND ${between}`;

const page = (source: string, direction: Direction): string => `
    SELECT ${selected} FROM (${source}
    ) e
    ORDER BY e.recorded_at ${direction}, e.id ${direction} LIMIT @take`;

const count = (source: string): string => `
    SELECT count(*)::integer AS found FROM (${source} LIMIT @take) e`;

interface Statements<Parameter extends string> {
  readonly page: Readonly<Record<Direction, NamedStatement<Parameter>>>;
  readonly count: NamedStatement<Parameter>;
}

const byKind: Statements<(typeof parameters)[number]> = {
  page: {
    ASC: named('ledger_entries_ASC', parameters, page(ofKinds('ASC'), 'ASC')),
    DESC: named('ledger_entries_DESC', parameters, page(ofKinds('DESC'), 'DESC')),
  },
  count: named('count_ledger_entries', parameters, count(ofKinds('DESC'))),
};

const withPayout = [...parameters, 'payout'] as const;
const byPayout: Statements<(typeof withPayout)[number]> = {
  page: {
    ASC: named('ledger_entries_of_payout_ASC', withPayout, page(ofPayout, 'ASC')),
    DESC: named('ledger_entries_of_payout_DESC', withPayout, page(ofPayout, 'DESC')),
  },
  count: named('count_ledger_entries_of_payout', withPayout, count(ofPayout)),
};

/** Where an entry stands in a list, which runs newest first. */
export const entryPosition = ({ recordedAt, id }: LedgerEntry): string =>
  `${recordedAt.toISOString()} ${id}`;

interface CursorBound {
  readonly at: string;
  readonly id: string;
}

function boundAt(position: string): CursorBound {
  const [at = '', id = ''] = position.split(' ');
  return { at, id };
}

/** The parameters of the list's statements. Every id is above the empty text. */
function valuesOf(
  call: Call,
  filter: EntriesConditions,
  { after, before, take }: Pick<PageRange, 'after' | 'before' | 'take'>,
) {
  const { payoutId, kind, recordedSince, recordedBefore } = filter;
  const low = before === null ? { at: recordedSince ?? '-infinity', id: '' } : boundAt(before);
  const high = after === null ? { at: recordedBefore ?? 'infinity', id: '' } : boundAt(after);
  return {
    tenant: call.scope.tenantId,
    kinds: [...new Set(kind ?? ledgerKinds)],
    payout: payoutId ?? null,
    lowAt: low.at,
    lowId: low.id,
    highAt: high.at,
    highId: high.id,
    take,
  };
}

/** Reads a range of the entries that meet the conditions, newest first; backwards, oldest first. */
export async function readEntries(
  call: Call,
  filter: EntriesConditions,
  range: PageRange,
): Promise<LedgerEntry[]> {
  const { pool } = call.services;
  const direction = range.backwards ? 'ASC' : 'DESC';
  const values = valuesOf(call, filter, range);
  if (!filter.payoutId) {
    const statement = byKind.page[direction];
    return rows<LedgerEntry>(pool, statement, statement.of(values));
  }
  const statement = byPayout.page[direction];
  return rows<LedgerEntry>(pool, statement, statement.of(values));
}

/** Counts the entries that meet the conditions, up to `most`. */
export async function countEntries(
  call: Call,
  filter: EntriesConditions,
  most: number,
): Promise<number> {
  const { pool } = call.services;
  const values = valuesOf(call, filter, { after: null, before: null, take: most });
  const { count: byKinds } = byKind;
  const { count: ofOne } = byPayout;
  const counted = filter.payoutId
    ? await firstRow<{ found: number }>(pool, ofOne, ofOne.of(values))
    : await firstRow<{ found: number }>(pool, byKinds, byKinds.of(values));
  return counted?.found ?? 0;
}

const ofPayouts = named(
  'ledger_entries_of_payouts',
  ['tenant', 'payouts'],
  `
    SELECT g.asked::integer AS asked, l.*
    FROM unnest(@payouts::text[]) WITH ORDINALITY AS g(id, asked)
    CROSS JOIN LATERAL (
      SELECT ${selected} FROM ledger_entry e WHERE e.tenant_id = @tenant AND e.payout_id = g.id
      ORDER BY e.recorded_at DESC, e.id DESC LIMIT ${mostChildren}
    ) l
    ORDER BY g.asked, l."recordedAt", l.id`,
);

/** The latest hundred entries of each of some payouts, oldest first. */
export async function readEntriesOfPayouts(
  { scope, services }: Call,
  payouts: readonly string[],
): Promise<readonly (readonly LedgerEntry[])[]> {
  const values = ofPayouts.of({ tenant: scope.tenantId, payouts });
  type Row = LedgerEntry & { readonly asked: number };
  return inAskedOrder(await rows<Row>(services.pool, ofPayouts, values), payouts);
}

const causes = named(
  'transitions_of_ledger_entries',
  ['tenant', 'payouts', 'seqs'],
  `
    SELECT g.asked::integer AS asked, ${columns(Prisma.PayoutTransitionScalarFieldEnum, 't')}
    FROM unnest(@payouts::text[], @seqs::integer[]) WITH ORDINALITY AS g(id, seq, asked)
    JOIN payout_transition t ON t.tenant_id = @tenant AND t.payout_id = g.id AND t.seq = g.seq`,
);

/** A transition by its payout and number. */
export type TransitionKey = Pick<PayoutTransition, 'payoutId' | 'seq'>;

/** The transitions that caused some entries; null for one that is not there. */
export async function readCauses(
  { scope, services }: Call,
  asked: readonly TransitionKey[],
): Promise<readonly (PayoutTransition | null)[]> {
  const values = causes.of({
    tenant: scope.tenantId,
    payouts: asked.map(({ payoutId }) => payoutId),
    seqs: asked.map(({ seq }) => seq),
  });
  type Row = PayoutTransition & { readonly asked: number };
  const found = await rows<Row>(services.pool, causes, values);
  return inAskedOrder(found, asked).map(([transition]) => transition ?? null);
}
