import type { PayoutBatchQuery } from '../../../../generated/console-types/graphql.ts';

/** A batch as its page has it. */
export type ShownBatch = NonNullable<PayoutBatchQuery['payoutBatch']>;
