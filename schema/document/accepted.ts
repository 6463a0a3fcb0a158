import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DomainError } from '../../src/errors/domain-error.ts';
import { ConfigError } from '../../src/process/settings/setting.ts';
import { readDocument } from './read.ts';

const setting = 'GRAPHQL_ACCEPTED_DOCUMENTS';

/** Documents by their ids, as the client preset of GraphQL Code Generator writes persisted ones. */
const manifest = z.record(z.string().min(1), z.string().min(1));

/** What a request asks to run: the text of a document, or the id of an accepted one. */
export interface AskedDocument {
  readonly query?: unknown;
  readonly documentId?: unknown;
}

/** Finds the text of the document that a request asks for. Throws `bad_request`. */
export type FindDocument = (asked: AskedDocument) => string;

const refused = (message: string) => new DomainError('bad_request', { message });

const anyDocument: FindDocument = ({ query }) => {
  if (typeof query === 'string') return query;
  throw refused('The body must be a JSON object with the field query.');
};

/** In the place of a file: nothing but the console may run operations. */
const consoleAlone = 'console';

/** The documents of the console, which its build writes. */
const consoleManifest = fileURLToPath(
  new URL('../../generated/console/documents.json', import.meta.url),
);

/** A list never shuts out the console that the same server serves. */
function readAccepted(file: string): ReadonlyMap<string, string> {
  if (file === consoleAlone) return readManifest(consoleManifest);
  const ofConsole = existsSync(consoleManifest) ? readManifest(consoleManifest) : [];
  return new Map([...ofConsole, ...readManifest(file)]);
}

/**
 * Makes the function that finds documents. Where there is a list of accepted ones, a caller names one by
 * `documentId` or sends its exact text, and any other is refused. The documents of the console are on every
 * list.
 *
 * @param file the list, or `console` for the console's documents alone; null where any document is accepted
 * @throws ConfigError when the file cannot be read or a document in it does not fit the schema
 */
export function createFindDocument(file: string | null): FindDocument {
  if (file === null) return anyDocument;
  const byId = readAccepted(file);
  const texts = new Set(byId.values());
  return ({ query, documentId }) => {
    const text = typeof documentId === 'string' ? byId.get(documentId) : query;
    if (typeof text === 'string' && texts.has(text)) return text;
    throw refused('This server runs the documents of its list alone, and this is none of them.');
  };
}

function readManifest(file: string): ReadonlyMap<string, string> {
  const wrong = (problem: string, cause?: unknown) =>
    new ConfigError(`${setting}: ${problem}`, { cause });
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrong(`cannot read JSON from ${file}`, error);
  }
  const parsed = manifest.safeParse(content);
  if (!parsed.success) throw wrong(`${file} must hold an object of documents by their ids`);
  for (const [id, text] of Object.entries(parsed.data)) {
    try {
      readDocument(text);
    } catch (error) {
      throw wrong(`the document ${id} of ${file} does not fit the schema`, error);
    }
  }
  return new Map(Object.entries(parsed.data));
}
