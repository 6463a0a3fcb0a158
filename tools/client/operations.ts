/** What the client reads of an OpenAPI document. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Content {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface AnsweredContent extends Content {
  readonly 'x-error-codes'?: readonly string[];
}

interface DocumentOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, AnsweredContent>>;
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
}

/** What a node stands for: itself, or what it refers to in the document. */
function resolved<Node extends { readonly $ref?: string }>(document: Document, node: Node): Node {
  if (node.$ref === undefined) return node;
  const keys = node.$ref.replace(/^#\//, '').split('/');
  let found: unknown = document;
  for (const key of keys) found = (found as Readonly<Record<string, unknown>>)[key];
  return resolved(document, found as Node);
}

/** The properties of a schema, through references and compositions. */
function propertiesOf(document: Document, schema: Schema | undefined): Record<string, Schema> {
  if (schema === undefined) return {};
  const { allOf = [], anyOf = [], properties = {} } = resolved(document, schema);
  const parts = [...allOf, ...anyOf];
  const composed = parts.flatMap((part) => Object.entries(propertiesOf(document, part)));
  return { ...Object.fromEntries(composed), ...properties };
}

function jsonOf(document: Document, content: Content = {}): Schema | undefined {
  return resolved(document, content).content?.['application/json']?.schema;
}

/** The field that makes a request take effect once, or `rows` where each row has it. */
function keyOf(document: Document, { requestBody }: DocumentOperation): string | undefined {
  const fields = propertiesOf(document, jsonOf(document, requestBody));
  for (const key of ['idempotency_key', 'decision_id']) if (key in fields) return key;
  const rows = Object.values(fields).map(({ items }) => propertiesOf(document, items));
  return rows.some((row) => 'idempotency_key' in row) ? 'rows' : undefined;
}

/** The field of an answer that holds the rows of a page. */
function itemsOf(document: Document, { responses }: DocumentOperation): string | undefined {
  const fields = propertiesOf(document, jsonOf(document, responses['200']));
  if (!('next_cursor' in fields)) return undefined;
  return Object.keys(fields).find((name) => fields[name]?.type === 'array');
}

/** The media types of the files that it answers in the place of JSON. */
function filesOf(document: Document, { responses }: DocumentOperation): readonly string[] {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = good.flatMap(([, given]) => Object.keys(resolved(document, given).content ?? {}));
  return [...new Set(types)].filter((type) => type !== 'application/json');
}

/** The name of an operation's types: openapi-ts writes its id with a capital. */
const typeName = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);

/** What an operation takes. openapi-ts leaves out the CSV file that may come in the place of JSON. */
function dataType({ operationId, requestBody }: DocumentOperation): string {
  const data = `${typeName(operationId)}Data`;
  if (requestBody?.content?.['text/csv'] === undefined) return data;
  return `Omit<${data}, 'body'> & { body: ${data}['body'] | string }`;
}

const quoted = (text: string): string => `'${text}'`;

/** The operations, error codes and version of the document, for the client's hand-written part. */
export function clientOperations(given: object): string {
  const document = given as Document; // made by openApiDocument, whose shape this is
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const ids = all.map(({ operation }) => operation.operationId);
  const types = ids.flatMap((id) => [`  ${typeName(id)}Data,`, `  ${typeName(id)}Responses,`]);
  const declared = all.map(
    ({ operation }) =>
      `  /** ${operation.summary}. */\n  readonly ${operation.operationId}: { readonly data: ${dataType(operation)}; readonly responses: ${typeName(operation.operationId)}Responses };`,
  );
  const rows = all.map(({ path, method, operation }) => {
    const entry = {
      method: method.toUpperCase(),
      path,
      key: keyOf(document, operation),
      items: itemsOf(document, operation),
    };
    const fields = Object.entries(entry).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${quoted(value)}`],
    );
    const files = filesOf(document, operation).map(quoted);
    if (files.length > 0) fields.push(`files: [${files.join(', ')}]`);
    return `  ${operation.operationId}: { ${fields.join(', ')} },`;
  });
  const answers = all.flatMap(({ operation }) => Object.values(operation.responses));
  const codes = new Set(
    answers.flatMap((answer) => resolved(document, answer)['x-error-codes'] ?? []),
  );
  return `// Generated from docs/openapi.json by \`npm run generate\`.

import type {
${types.toSorted().join('\n')}
} from './types.gen.ts';

/** The version of the API that these types describe. */
export const apiVersion = ${quoted(document.info.version)};

/** A code of the error reference. */
export type ErrorCode =
${[...codes]
  .toSorted()
  .map((code) => `  | ${quoted(code)}`)
  .join('\n')};

/** Every operation, by its operationId, with what it takes and answers. */
export interface Operations {
${declared.join('\n')}
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  /** The field of the body that makes it take effect once; \`rows\`: each row has one. */
  readonly key?: string;
  /** The field of the answer that holds the rows of a page. */
  readonly items?: string;
  /** The media types of the files that it answers in the place of JSON. */
  readonly files?: readonly string[];
}

export const operations: Readonly<Record<keyof Operations, Operation>> = {
${rows.join('\n')}
};
`;
}
