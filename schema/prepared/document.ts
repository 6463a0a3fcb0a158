import { parse, validate, type DocumentNode } from 'graphql';
import { asError } from '../../src/errors/as-error.ts';
import { schema } from '../schema.ts';
import { planOf, type Plan } from './plan.ts';

/** Parses and validates a document; throws when it does not fit the schema. */
export function readDocument(source: string): DocumentNode {
  const document = parse(source);
  const [problem] = validate(schema, document);
  if (problem !== undefined) throw new Error(`${problem.message} in ${source}`);
  return document;
}

/** A document of our own, for `run`. */
export interface PreparedDocument {
  readonly document: DocumentNode;
  readonly plan: Plan;
}

/** Reads and plans a document of our own; throws at start when it fits neither the schema nor a plan. */
export function prepareDocument(source: string): PreparedDocument {
  const document = readDocument(source);
  try {
    return { document, plan: planOf(schema, document) };
  } catch (error) {
    throw new Error(`${asError(error).message} in ${source}`, { cause: error });
  }
}
