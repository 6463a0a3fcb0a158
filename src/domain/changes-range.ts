import type { Call } from '../process/services.ts';
import { changesHorizon } from './changes-horizon.ts';
import type { PageRange } from './page-range.ts';

/** The parameters of a statement that reads changes in the order of `(updated_at, id)`. */
export const changeParameters = ['lowAt', 'lowId', 'highAt', 'highId', 'take'] as const;

/** Where a row stands among the changes. */
export const changePosition = ({
  updatedAt,
  id,
}: {
  readonly updatedAt: Date;
  readonly id: string;
}): string => `${updatedAt.toISOString()} ${id}`;

function boundAt(position: string): { readonly at: string; readonly id: string } {
  const [at = '', id = ''] = position.split(' ');
  return { at, id };
}

/**
 * The bounds of a range of changes from `since` on, neither of which belongs to it. It ends at the horizon: what an open
 * transaction may still precede is left out for a moment.
 */
export async function betweenChanges(
  call: Call,
  since: string,
  { after, before, take }: PageRange,
): Promise<Record<(typeof changeParameters)[number], string | number>> {
  const low = after === null ? { at: since, id: '' } : boundAt(after);
  const high =
    before === null ? { at: await changesHorizon(call, 'infinity'), id: '' } : boundAt(before);
  return { lowAt: low.at, lowId: low.id, highAt: high.at, highId: high.id, take };
}
