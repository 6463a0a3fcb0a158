import type { PayoutRoute } from '../../../generated/prisma/client.ts';

/** What a route is chosen by. */
export interface RoutedFacts {
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  /** ISO 4217. */
  readonly currency: string;
  /** Of the payee's account, ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Whether a route's conditions hold; an empty one always does. Of a bank, its schemes are to be asked too. */
export function conditionsHold(
  route: Pick<PayoutRoute, 'currency' | 'country' | 'amountFromMinor' | 'amountToMinor'>,
  { amountMinor, currency, country }: RoutedFacts,
): boolean {
  return (
    (route.currency ?? currency) === currency &&
    (route.country ?? country) === country &&
    (route.amountFromMinor ?? amountMinor) <= amountMinor &&
    (route.amountToMinor ?? amountMinor) >= amountMinor
  );
}
