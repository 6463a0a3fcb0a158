import type { OperatorBusinessPageQuery } from '../../../../generated/console-types/graphql.ts';

/** A business as its page for operators has it. */
export type OperatedBusiness =
  OperatorBusinessPageQuery['operatorBusinesses']['edges'][number]['node'];

/** Its books of production. */
export type Ledger = OperatorBusinessPageQuery['operatorLedger'];
