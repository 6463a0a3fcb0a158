import { z } from 'zod';
import type { Payout } from '../../../../generated/prisma/client.ts';
import { requirePermission } from '../../../access/scope.ts';
import { nameBounds } from '../../../db/name-prefix.ts';
import { rows } from '../../../db/pool.ts';
import type { Call } from '../../../process/services.ts';
import { text } from '../../../values/fields.ts';
import { parseInput } from '../../../values/validate.ts';
import { lastFourMeant } from '../../bank-account/mask.ts';
import { asWeWriteIt } from '../../bank-file/own-reference.ts';
import { payoutStates } from '../machine.ts';
import { amountsMeant } from './amounts.ts';
import { searchKinds, searchStatement, type SearchKind } from './statement.ts';

/** The payouts of which one thing is, or begins with, the text that was looked for. */
export interface SearchHits {
  readonly kind: SearchKind;
  /** Newest first. */
  readonly payouts: readonly Payout[];
  /** There are more than these. */
  readonly more: boolean;
}

const input = z.strictObject({
  // As long as the longest of what it can be.
  text: text(255),
  first: z.int().min(1).max(25),
});

/**
 * Looks for payouts by what a person has of them: an id of the payout, its payee or the provider, also as a bank writes
 * it, a reference, a key, the beginning of the payee's legal name at the creation or any part of its names today, the
 * last four characters of an account, or an amount in major units, with or without its currency. Kinds without a hit are left out, and each has at most `first`. Throws forbidden and validation_failed.
 */
export async function searchPayouts(
  call: Call,
  given: { readonly text: string; readonly first: number },
): Promise<SearchHits[]> {
  requirePermission(call.scope, 'read');
  const { text: wanted, first } = parseInput(input, given);
  const meant = amountsMeant(wanted);
  const found = await rows<Payout & { readonly kind: SearchKind }>(
    call.services.pool,
    searchStatement,
    searchStatement.of({
      tenant: call.scope.tenantId,
      states: payoutStates,
      currency: null,
      failureCode: null,
      provider: null,
      text: asWeWriteIt(wanted),
      last4: lastFourMeant(wanted),
      ...nameBounds(wanted),
      currencies: meant.map(({ currency }) => currency),
      amounts: meant.map(({ amountMinor }) => amountMinor),
      take: first + 1,
    }),
  );
  const byKind = Map.groupBy(found, ({ kind }) => kind);
  return searchKinds.flatMap((kind): SearchHits[] => {
    const hits = (byKind.get(kind) ?? []).toSorted((a, b) => (a.id < b.id ? 1 : -1));
    if (hits.length === 0) return [];
    return [{ kind, payouts: hits.slice(0, first), more: hits.length > first }];
  });
}
