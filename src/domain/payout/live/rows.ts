import type { Pool } from 'pg';
import { Prisma, type Payout, type PayoutTransition } from '../../../../generated/prisma/client.ts';
import { columnName, columns } from '../../../db/columns.ts';
import { named, namedOfPlatform } from '../../../db/named.ts';
import { firstRow, rows } from '../../../db/pool.ts';
import { horizonSql } from '../../horizon.ts';

/**
 * A place in a tenant's transitions: after the one that it names, or, with an empty payout, before everything
 * that was recorded at or after its time. `at` always has the same form, so that places compare as text.
 */
export interface TransitionCursor {
  readonly at: string;
  readonly payoutId: string;
  readonly seq: number;
}

/** A transition, and its payout as it was when the transition was read. */
export interface LiveTransition {
  readonly place: TransitionCursor;
  readonly transition: PayoutTransition;
  readonly payout: Payout;
}

/** The place before everything that was recorded at or after `at`. */
export const placeBefore = (at: string): TransitionCursor => ({ at, payoutId: '', seq: 0 });

/** A place as text, and back. */
export const placeText = ({ at, payoutId, seq }: TransitionCursor): string =>
  `${at} ${payoutId} ${seq}`;

export function placeOf(text: string): TransitionCursor {
  const [at = '', payoutId = '', seq] = text.split(' ');
  return { at, payoutId, seq: Number(seq) };
}

export function isAfter(a: TransitionCursor, b: TransitionCursor): boolean {
  if (a.at !== b.at) return a.at > b.at;
  if (a.payoutId !== b.payoutId) return a.payoutId > b.payoutId;
  return a.seq > b.seq;
}

/**
 * The time before which every transition is visible, and at most `@span` after `@from`; not before `@from`,
 * since it may seem to go back when a long transaction turns to payouts. Null while a writer hides when its
 * transaction began.
 */
const liveHorizon = namedOfPlatform(
  'live_horizon',
  ['from', 'span'],
  `
    SELECT CASE WHEN isfinite(l.at) THEN
      to_char(l.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') END AS at
    FROM (
      SELECT greatest(least(h.at, @from::timestamptz + @span::interval), @from::timestamptz) AS at
      FROM ${horizonSql} h
    ) l`,
);

/** The widest part of a feed's time that is read at once, after a long transaction held the horizon back. */
const widestMs = 2_000;

/** Whether the part of the time is the widest, so that more may follow. */
export const isWidest = (from: string | null, until: string): boolean =>
  from !== null && Date.parse(until) - Date.parse(from) >= widestMs;

/** How far a feed that has told everything before `from` may read; null for not at this moment. */
export async function horizonAfter(pool: Pool, from: string | null): Promise<string | null> {
  const row = await firstRow<{ at: string | null }>(
    pool,
    liveHorizon,
    liveHorizon.of({ from, span: `${widestMs} milliseconds` }),
  );
  return row?.at ?? null;
}

/** The transition's columns beside those of its payout, some of which have the same names. */
const prefix = 'transition_';
const transitionColumns = Object.values(Prisma.PayoutTransitionScalarFieldEnum)
  .map((field) => `t.${columnName(field)} AS "${prefix}${field}"`)
  .join(', ');

const selectList = `${transitionColumns}, ${columns(Prisma.PayoutScalarFieldEnum, 'p')}`;
const ordered = 'ORDER BY t.recorded_at, t.payout_id, t.seq';

type TransitionRow = Payout & Readonly<Record<string, unknown>>;

function liveOf(found: TransitionRow): LiveTransition {
  const payout: Record<string, unknown> = {};
  const transition: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(found)) {
    if (name.startsWith(prefix)) transition[name.slice(prefix.length)] = value;
    else payout[name] = value;
  }
  // The select list has the fields of both models.
  const moved = transition as unknown as PayoutTransition;
  const { payoutId, seq, recordedAt } = moved;
  // Milliseconds, in the form of the horizon's microseconds.
  const at = recordedAt?.toISOString().replace('Z', '000Z') ?? '';
  return { place: { at, payoutId, seq }, transition: moved, payout: payout as unknown as Payout };
}

const tenantsWithNews = namedOfPlatform(
  'live_tenants',
  ['tenants', 'from', 'until'],
  `
    SELECT DISTINCT t.tenant_id AS "tenantId" FROM across.payout_transition t
    WHERE t.tenant_id = ANY (@tenants::text[])
      AND t.recorded_at >= @from::timestamptz AND t.recorded_at < @until::timestamptz`,
);

const transitionsBetween = named(
  'live_transitions',
  ['tenant', 'from', 'until'],
  `
    SELECT ${selectList}
    FROM payout_transition t JOIN payout p ON p.tenant_id = t.tenant_id AND p.id = t.payout_id
    WHERE t.tenant_id = @tenant
      AND t.recorded_at >= @from::timestamptz AND t.recorded_at < @until::timestamptz
    ${ordered}`,
);

/** What was recorded for any of the tenants at or after `from` and before `until`: a tenant's in their order. */
export async function readBetween(
  pool: Pool,
  tenants: readonly string[],
  from: string,
  until: string,
): Promise<LiveTransition[]> {
  const asked = tenantsWithNews.of({ tenants, from, until });
  const found = await rows<{ tenantId: string }>(pool, tenantsWithNews, asked);
  const told: LiveTransition[] = [];
  for (const { tenantId: tenant } of found) {
    const values = transitionsBetween.of({ tenant, from, until });
    told.push(...(await rows<TransitionRow>(pool, transitionsBetween, values)).map(liveOf));
  }
  return told;
}

const transitionsAfter = named(
  'live_transitions_after',
  ['tenant', 'at', 'payout', 'seq', 'until', 'take'],
  `
    SELECT ${selectList}
    FROM payout_transition t JOIN payout p ON p.tenant_id = t.tenant_id AND p.id = t.payout_id
    WHERE t.tenant_id = @tenant AND t.recorded_at >= @at::timestamptz AND t.recorded_at < @until::timestamptz
      AND (t.recorded_at, t.payout_id, t.seq) > (@at::timestamptz, @payout::text, @seq::integer)
    ${ordered}
    LIMIT @take`,
);

/** Up to `take` transitions of a tenant after a place that were recorded before `until`, in their order. */
export async function readAfter(
  pool: Pool,
  tenantId: string,
  { at, payoutId, seq }: TransitionCursor,
  until: string,
  take: number,
): Promise<LiveTransition[]> {
  const values = transitionsAfter.of({
    tenant: tenantId,
    at,
    payout: payoutId,
    seq,
    until,
    take,
  });
  return (await rows<TransitionRow>(pool, transitionsAfter, values)).map(liveOf);
}
