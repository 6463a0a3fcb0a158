import type { graphql as typed } from '../../../generated/console-types/gql.ts';

/**
 * A GraphQL document with the types of its variables and its answer. The build makes the types from the text
 * and schema.graphql; at run time it is the text, which is sent as it is, so that a page carries its own
 * documents and no others. Documents stand in files `*.graphql.ts`, each whole: a fragment stands in the
 * document that uses it.
 */
export const graphql = ((text: string) => text) as unknown as typeof typed;
