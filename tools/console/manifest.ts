import { createHash } from 'node:crypto';
import { createRequest, formatDocument, stringifyDocument } from 'urql';
import type { ConsoleDocument } from './documents.ts';

/** The text that the console's client sends for a document: with `__typename`, as its cache needs it. */
const sentText = (text: string): string =>
  stringifyDocument(formatDocument(createRequest(text, {}).query));

/**
 * The documents of the console by the digests of their texts, in the form of a persisted manifest: what a
 * server with a list of accepted documents takes from the console.
 */
export function manifestOf(documents: readonly ConsoleDocument[]): Record<string, string> {
  const texts = documents.map(({ text }) => sentText(text));
  const digest = (text: string) => createHash('sha256').update(text).digest('hex');
  return Object.fromEntries(texts.map((text) => [digest(text), text]));
}
