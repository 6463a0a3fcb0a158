import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, type Queryable } from '../../db/pool.ts';

const latest = namedOfPlatform(
  'latest_event_of_provider',
  ['provider'],
  'SELECT max(e.received_at) AS at FROM provider_event e WHERE e.provider = @provider',
);

/** When the latest event of a provider came whose signature was right; null where none is kept. */
export async function findLatestEvent(client: Queryable, provider: string): Promise<Date | null> {
  const row = await firstRow<{ at: Date | null }>(client, latest, latest.of({ provider }));
  return row?.at ?? null;
}
