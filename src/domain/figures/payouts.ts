import { requirePermission } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { groups } from '../payout/list/groups.ts';
import { payoutStates, type PayoutState } from '../payout/machine.ts';
import { dayOf, type FigureRange } from './range.ts';

/*
 * Each figure adds up entries of an index, group by group, and reads no payout. All are of the payouts that were
 * created in the range, so that figures of one range agree with each other.
 */

const parameters = ['tenant', 'states', 'currency', 'failureCode', 'provider'] as const;
const inRange = [...parameters, 'since', 'before'] as const;

/** What a group has in the range. */
const ofGroup = (selected: string, grouped = '') => `groups g CROSS JOIN LATERAL (
      SELECT ${selected} FROM payout p
      WHERE p.tenant_id = @tenant AND p.list_group = g.name AND p.created_at >= @since AND p.created_at < @before
      ${grouped}
    ) l`;

const byState = named(
  'figures_by_state',
  inRange,
  `${groups}
    SELECT split_part(g.name, ' ', 1) AS name, sum(l.count)::integer AS count
    FROM ${ofGroup('count(*) AS count')}
    GROUP BY 1`,
);

const byCode = named(
  'figures_by_failure_code',
  inRange,
  `${groups}
    SELECT nullif(split_part(g.name, ' ', 3), '') AS name, sum(l.count)::integer AS count
    FROM ${ofGroup('count(*) AS count')}
    GROUP BY 1 HAVING sum(l.count) > 0 ORDER BY 2 DESC, 1`,
);

const byDay = named(
  'figures_by_day',
  [...inRange, 'starts'],
  `${groups}
    SELECT l.day, split_part(g.name, ' ', 2) AS currency, sum(l.count)::integer AS count, sum(l.amount)::text AS amount
    FROM ${ofGroup('width_bucket(p.created_at, @starts::timestamptz[]) AS day, count(*) AS count, sum(p.amount_minor) AS amount', 'GROUP BY 1')}
    GROUP BY 1, 2 ORDER BY 1, 2`,
);

/** Minutes from which each part of the queue has waited; the last has no end. */
const queueMinutes = [0, 60, 240, 1_440, 4_320, 10_080] as const;

const queue = named(
  'figures_of_approval_queue',
  [...parameters, 'minutes'],
  `${groups}, ages AS (
      SELECT array_agg(now() - make_interval(mins => m.minutes) ORDER BY m.minutes DESC) AS since
      FROM unnest(@minutes::integer[]) AS m(minutes)
    )
    SELECT l.age, sum(l.count)::integer AS count
    FROM groups g CROSS JOIN ages a CROSS JOIN LATERAL (
      SELECT width_bucket(p.updated_at, a.since) AS age, count(*) AS count FROM payout p
      WHERE p.tenant_id = @tenant AND p.list_group = g.name
      GROUP BY 1
    ) l
    GROUP BY 1`,
);

const valuesOf = ({ scope }: Call, states: readonly PayoutState[]) => ({
  tenant: scope.tenantId,
  states,
  currency: null,
  failureCode: null,
  provider: null,
});

const within = ({ starts }: FigureRange) => ({ since: starts[0], before: starts.at(-1) });

type Counted = { readonly name: string | null; readonly count: number };

/** How many payouts are in each state; states without one are 0. */
export async function payoutsByState(
  call: Call,
  range: FigureRange,
): Promise<{ readonly state: PayoutState; readonly count: number }[]> {
  requirePermission(call.scope, 'read');
  const values = byState.of({ ...valuesOf(call, payoutStates), ...within(range) });
  const found = await rows<Counted>(call.services.pool, byState, values);
  const counts = new Map(found.map(({ name, count }) => [name, count]));
  return payoutStates.map((state) => ({ state, count: counts.get(state) ?? 0 }));
}

/** How many payouts failed or were returned, by the code; null where none was given. The most come first. */
export async function failuresByCode(
  call: Call,
  range: FigureRange,
): Promise<{ readonly failureCode: string | null; readonly count: number }[]> {
  requirePermission(call.scope, 'read');
  const values = byCode.of({ ...valuesOf(call, ['failed', 'returned']), ...within(range) });
  const found = await rows<Counted>(call.services.pool, byCode, values);
  return found.map(({ name, count }) => ({ failureCode: name, count }));
}

/** Payouts of one day in one currency, and their amounts together in minor units of it. */
export interface DayFigure {
  readonly day: string;
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: bigint;
}

/** What was created on each day and in each currency; days without any are left out. */
export async function payoutsByDay(call: Call, range: FigureRange): Promise<DayFigure[]> {
  requirePermission(call.scope, 'read');
  const values = byDay.of({
    ...valuesOf(call, payoutStates),
    ...within(range),
    starts: range.starts.map((start) => start.toISOString()),
  });
  const found = await rows<{ day: number; currency: string; count: number; amount: string }>(
    call.services.pool,
    byDay,
    values,
  );
  return found.map(({ day, currency, count, amount }) => ({
    day: dayOf(range.from, day),
    currency,
    count,
    amountMinor: BigInt(amount),
  }));
}

/** Payouts that have waited for a decision from so many minutes on, and less than so many. */
export interface QueueFigure {
  readonly fromMinutes: number;
  readonly toMinutes: number | null;
  readonly count: number;
}

/** The payouts that wait for a decision at this moment, by how long they have waited. */
export async function approvalQueue(call: Call): Promise<QueueFigure[]> {
  requirePermission(call.scope, 'read');
  const values = queue.of({ ...valuesOf(call, ['pending_approval']), minutes: queueMinutes });
  const found = await rows<{ age: number; count: number }>(call.services.pool, queue, values);
  // The oldest are before the first of the times, in part 0; a clock that was set back makes a part too many.
  const parts = queueMinutes.length;
  const countOf = (part: number): number =>
    found
      .filter(({ age }) => Math.max(parts - 1 - age, 0) === part)
      .reduce((sum, { count }) => sum + count, 0);
  return queueMinutes.map((fromMinutes, part) => ({
    fromMinutes,
    toMinutes: queueMinutes[part + 1] ?? null,
    count: countOf(part),
  }));
}
