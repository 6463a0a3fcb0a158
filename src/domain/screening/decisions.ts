import type { ScreeningDecision } from '../../../generated/prisma/client.ts';
import type { Call } from '../../process/services.ts';
import { readDecisions } from './decision-store.ts';

/** What was decided on each hit, the oldest first, in the order asked. */
export async function readDecisionsOf(
  { scope, services }: Call,
  hits: readonly string[],
): Promise<ScreeningDecision[][]> {
  const found = await readDecisions(services.pool, scope, hits);
  const byHit = Map.groupBy(found, ({ hitId }) => hitId);
  return hits.map((hit) => byHit.get(hit) ?? []);
}
