import { parse, validate, type DocumentNode } from 'graphql';
import { schema } from '../schema.ts';

/** Parses and validates a document; throws when it does not fit the schema. */
export function readDocument(source: string): DocumentNode {
  const document = parse(source);
  const [problem] = validate(schema, document);
  if (problem !== undefined) throw new Error(`${problem.message} in ${source}`);
  return document;
}
