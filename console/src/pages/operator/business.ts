import type { OperatorBusinessesQuery } from '../../../../generated/console-types/graphql.ts';

/** A business as the list of operators has it. */
export type Business = OperatorBusinessesQuery['operatorBusinesses']['edges'][number]['node'];
