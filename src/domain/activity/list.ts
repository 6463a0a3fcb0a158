import { z } from 'zod';
import type { AccessChange } from '../../../generated/prisma/client.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { dateTime } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { lowestId, lowestUuid, momentOfId, momentOfUuid } from './moment.ts';
import { activityKinds, type ActivityKind } from './names.ts';
import { byIds, ofAccess, ofCanceled } from './statements.ts';

/** One thing that happened, as its table has it. */
export interface Activity {
  readonly kind: ActivityKind;
  /** Of the row that tells of it. */
  readonly id: string;
  readonly occurredAt: Date;
  /** Who, as it was recorded then. */
  readonly actor: unknown;
  readonly payoutId: string | null;
  /** What a decision says; the kind of an export; the name of a file. */
  readonly detail: string | null;
  readonly change: AccessChange | null;
}

const kinds = Object.keys(activityKinds) as ActivityKind[];

const filterInput = z.strictObject({
  kind: z.array(z.enum(kinds)).max(kinds.length).nullish(),
  since: dateTime.nullish(),
  before: dateTime.nullish(),
});
export type ActivityFilter = z.input<typeof filterInput>;

/** Where a row stands among all. */
const keyOf = ({ kind, id, occurredAt }: Activity) => ({
  ms: momentOf(kind, id, occurredAt),
  rank: kinds.indexOf(kind),
  id,
});
type Key = ReturnType<typeof keyOf>;

function momentOf(kind: ActivityKind, id: string, occurredAt: Date): number {
  if (kind === 'access') return momentOfUuid(id);
  // A payout is canceled long after its id was made.
  return kind === 'payout_canceled' ? occurredAt.getTime() : momentOfId(id);
}

const newestFirst = (a: Key, b: Key): number =>
  b.ms - a.ms || b.rank - a.rank || (a.id < b.id ? 1 : -1);

/** The position of a row for the next page. */
export function positionOf(activity: Activity): string {
  const { ms, rank, id } = keyOf(activity);
  return `${ms} ${rank} ${id}`;
}

function keyIn(position: string): Key {
  const [ms = '', rank = '', id = ''] = position.split(' ');
  return { ms: Number(ms), rank: Number(rank), id };
}

const resources = {
  payout_created: 'payout',
  decision: 'decision',
  export: 'export',
  bank_file: 'bankFile',
} as const;

/** What a page begins behind, and the times between which it is. */
interface Range {
  readonly after: Key | null;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly before: number;
}

/** The millisecond from which on rows of a kind are no part of the page, and the id, where the row before is of it. */
function endOf(kind: ActivityKind, { after, before }: Range) {
  if (after === null) return { ms: before, id: null };
  const rank = kinds.indexOf(kind);
  if (rank === after.rank && after.ms < before) return { ms: after.ms, id: after.id };
  // In the millisecond of the row before, kinds of lower rank come after it.
  return { ms: Math.min(before, rank < after.rank ? after.ms + 1 : after.ms), id: null };
}

/** Reads the latest rows of a kind within a range. */
function readRows(
  { scope, services: { pool } }: Call,
  kind: ActivityKind,
  range: Range,
  take: number,
): Promise<Record<string, unknown>[]> {
  const { tenantId: tenant, businessId: business, environment } = scope;
  const { since } = range;
  const { ms, id } = endOf(kind, range);
  if (kind === 'access') {
    const [low, high] = [lowestUuid(since), id ?? lowestUuid(ms)];
    return rows(pool, ofAccess, ofAccess.of({ business, environment, low, high, take }));
  }
  if (kind === 'payout_canceled') {
    const [from, at] = [new Date(since), new Date(ms)];
    return rows(pool, ofCanceled, ofCanceled.of({ tenant, since: from, at, high: id ?? '', take }));
  }
  const resource = resources[kind];
  const statement = byIds[kind];
  const [low, high] = [lowestId(resource, since), id ?? lowestId(resource, ms)];
  return rows(pool, statement, statement.of({ tenant, low, high, take }));
}

async function readKind(
  call: Call,
  kind: ActivityKind,
  range: Range,
  take: number,
): Promise<Activity[]> {
  const found = await readRows(call, kind, range, take);
  return found.map((row) => {
    type Told = Pick<Activity, 'id' | 'occurredAt' | 'actor'> & Partial<Activity>;
    // The statement of each kind gives these columns; that of `access` a whole change.
    const { id, occurredAt, actor, payoutId = null, detail = null } = row as unknown as Told;
    return {
      kind,
      id,
      // The time by which the list is sorted and cut.
      occurredAt: new Date(momentOf(kind, id, occurredAt)),
      actor,
      payoutId,
      detail,
      change: kind === 'access' ? (row as unknown as AccessChange) : null,
    };
  });
}

/** A date that no row has reached. */
const never = Date.UTC(9999, 0);

/**
 * What happened in the business, newest first: each kind is read along its own index, and the latest of all make the
 * page. Of what concerns one environment alone, that of the caller. Throws validation_failed.
 *
 * @param after the position of the row before, or null for the beginning
 */
export async function readActivity(
  call: Call,
  given: ActivityFilter,
  { after, take }: { readonly after: string | null; readonly take: number },
): Promise<Activity[]> {
  const { kind: chosen, since, before } = parseInput(filterInput, given);
  const key = after === null ? null : keyIn(after);
  const from = since == null ? 0 : Date.parse(since);
  const until = before == null ? never : Date.parse(before);
  const asked =
    chosen == null || chosen.length === 0 ? kinds : kinds.filter((one) => chosen.includes(one));
  const found = await Promise.all(
    asked.map((one) => readKind(call, one, { after: key, since: from, before: until }, take)),
  );
  return found
    .flat()
    .map((activity) => ({ activity, place: keyOf(activity) }))
    .toSorted((a, b) => newestFirst(a.place, b.place))
    .slice(0, take)
    .map(({ activity }) => activity);
}
