import type { ScreeningQuery } from '../../../../generated/console-types/graphql.ts';

/** A payee beside an entry of a list. */
export type Hit = ScreeningQuery['screeningHits']['edges'][number]['node'];
