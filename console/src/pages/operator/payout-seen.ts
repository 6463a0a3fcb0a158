import type { OperatorPayoutPageQuery } from '../../../../generated/console-types/graphql.ts';

/** The payout as the page has it. */
export type SeenPayout = NonNullable<OperatorPayoutPageQuery['operatorPayout']>;
