import { flat, resolve, type ApiDocument, type ApiResponse } from './document.ts';

/**
 * The error codes of an answer: as its extension lists them, or as the values that its schema permits
 * for `error.code`.
 */
export function errorCodesOf(document: ApiDocument, response: ApiResponse): readonly string[] {
  const listed = response['x-error-codes'];
  if (listed !== undefined) return listed;
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined) return [];
  const envelope = flat(document, schema).properties?.['error'];
  const code = envelope === undefined ? undefined : flat(document, envelope).properties?.['code'];
  if (code === undefined) return [];
  const { enum: values = [], const: only } = flat(document, code);
  return [...values, only].filter((value) => typeof value === 'string');
}

/** Which operations answer with a code, by their ids. */
export function operationsByCode(document: ApiDocument): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const item of Object.values(document.paths)) {
    for (const { operationId = '', responses = {} } of Object.values(item)) {
      for (const given of Object.values(responses)) {
        for (const code of errorCodesOf(document, resolve(document, given))) {
          const ids = found.get(code) ?? [];
          if (!ids.includes(operationId)) found.set(code, [...ids, operationId]);
        }
      }
    }
  }
  return found;
}
