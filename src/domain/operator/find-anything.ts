import { z } from 'zod';
import { namedOfPlatform } from '../../db/named.ts';
import type { OperatorCall } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { asWeWriteIt } from '../bank-file/own-reference.ts';
import { readList, tenantColumns, type OfTenantOrNone } from './list.ts';

/** Something that an operator looked for. */
export interface FoundThing extends OfTenantOrNone {
  readonly kind: string;
  readonly id: string;
  readonly state: string | null;
  /** The payout that it is or belongs to; null for something of no payout. */
  readonly payoutId: string | null;
}

/** Hits that a search shows at most. */
export const mostHits = 25;

const sought = z.strictObject({ what: text(255) });

const find = namedOfPlatform(
  'operator_find',
  ['what', 'take'],
  `
    SELECT kind, found_id AS id, state, payout_id AS "payoutId", ${tenantColumns}
    FROM ops.find_page(@what, @take)`,
);

/**
 * What an id names, as we write it or as banks give it back; or the payouts that carry this text as their business's
 * reference, or as their id at the provider. Newest first. Throws validation_failed for an empty text.
 */
export function findAnything(
  call: OperatorCall,
  given: z.input<typeof sought>,
): Promise<FoundThing[]> {
  const { what } = parseInput(sought, given);
  return readList(call, find, { what: asWeWriteIt(what), take: mostHits });
}
