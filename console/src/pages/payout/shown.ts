import type { PayoutPageQuery } from '../../../../generated/console-types/graphql.ts';

/** The payout of the page. */
export type ShownPayout = NonNullable<PayoutPageQuery['payout']>;
