import { z } from 'zod';
import { Prisma, type Event } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { dateTime } from '../../values/fields.ts';
import { changesHorizon } from '../changes-horizon.ts';
import type { PageRange } from '../page-range.ts';
import { deliveredTypes } from './types.ts';

/** Conditions of a list of events; all of them hold. */
export const eventsFilter = z.strictObject({
  type: z.array(z.enum(deliveredTypes)).min(1).max(100).nullish(),
  since: dateTime.nullish(),
});
export type EventsConditions = z.output<typeof eventsFilter>;

const parameters = ['tenant', 'types', 'lowAt', 'lowId', 'highAt', 'highId', 'take'] as const;

type Direction = 'ASC' | 'DESC';

/** Each type is read from its place in the index, and no more of it than wanted. */
const source = (direction: Direction): string => `
    SELECT l.* FROM unnest(@types::text[]) AS g(type) CROSS JOIN LATERAL (
      SELECT e.* FROM event e
      WHERE e.tenant_id = @tenant AND e.type = g.type
        AND (e.recorded_at, e.id) > (@lowAt::text::timestamptz, @lowId::text)
        AND (e.recorded_at, e.id) < (@highAt::text::timestamptz, @highId::text)
      ORDER BY e.recorded_at ${direction}, e.id ${direction} LIMIT @take
    ) l`;

const page = (direction: Direction) =>
  named(
    `events_${direction}`,
    parameters,
    `
    SELECT ${columns(Prisma.EventScalarFieldEnum, 'e')} FROM (${source(direction)}
    ) e
    ORDER BY e.recorded_at ${direction}, e.id ${direction} LIMIT @take`,
  );

const pages = { ASC: page('ASC'), DESC: page('DESC') };

const counting = named(
  'count_events',
  parameters,
  `SELECT count(*)::integer AS found FROM (${source('DESC')} LIMIT @take) e`,
);

/** Where an event stands in a list. */
export const eventPosition = ({ recordedAt, id }: Event): string =>
  `${recordedAt.toISOString()} ${id}`;

interface CursorBound {
  readonly at: string;
  readonly id: string;
}

function boundAt(position: string): CursorBound {
  const [at = '', id = ''] = position.split(' ');
  return { at, id };
}

/** The bounds of the whole list. One that is read in the order of the events ends at the horizon. */
async function wholeOf(call: Call, { since }: EventsConditions) {
  const at = since ? await changesHorizon(call, 'infinity') : 'infinity';
  return { low: { at: since ?? '-infinity', id: '' }, high: { at, id: '' } };
}

function valuesOf(
  { scope }: Call,
  { type }: EventsConditions,
  { low, high }: { readonly low: CursorBound; readonly high: CursorBound },
  take: number,
) {
  return {
    tenant: scope.tenantId,
    types: [...new Set(type ?? deliveredTypes)],
    lowAt: low.at,
    lowId: low.id,
    highAt: high.at,
    highId: high.id,
    take,
  };
}

/**
 * Reads a range of the events that meet the conditions: newest first, or with `since` in the order in which they were
 * recorded. An event whose transaction may still be open is left out there, as `updatedSince` leaves out changes.
 */
export async function readEvents(
  call: Call,
  filter: EventsConditions,
  { after, before, take, backwards }: PageRange,
): Promise<Event[]> {
  const ascending = Boolean(filter.since);
  const whole = await wholeOf(call, filter);
  const [fromLow, fromHigh] = ascending ? [after, before] : [before, after];
  const bounds = {
    low: fromLow === null ? whole.low : boundAt(fromLow),
    high: fromHigh === null ? whole.high : boundAt(fromHigh),
  };
  const statement = pages[ascending === backwards ? 'DESC' : 'ASC'];
  const values = statement.of(valuesOf(call, filter, bounds, take));
  return rows<Event>(call.services.pool, statement, values);
}

/** Counts the events that meet the conditions, up to `most`. */
export async function countEvents(
  call: Call,
  filter: EventsConditions,
  most: number,
): Promise<number> {
  const values = counting.of(valuesOf(call, filter, await wholeOf(call, filter), most));
  const counted = await firstRow<{ found: number }>(call.services.pool, counting, values);
  return counted?.found ?? 0;
}
