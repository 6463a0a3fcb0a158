import type { DocumentNode } from 'graphql';
import { asError } from '../../src/errors/as-error.ts';
import { readDocument } from '../document/read.ts';
import { schema } from '../schema.ts';
import { planOf, type Plan } from './plan.ts';

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
