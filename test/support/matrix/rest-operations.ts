import { exportOperations } from '../../../rest/files/exports.ts';
import { openApiDocument } from '../../../rest/openapi/document.ts';
import type { Operation } from '../../../rest/route/route.ts';
import { routes } from '../../../rest/routes/table.ts';
import { taxDocumentOperations } from '../../../rest/files/tax-documents.ts';

/** Every REST operation, in the order in which the application tries their paths. */
export const operations: readonly Operation[] = [
  ...exportOperations,
  ...taxDocumentOperations,
  ...routes,
];

/** A part of the OpenAPI document, as far as the matrices read it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: JsonSchema;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> };
  readonly responses: Record<
    string,
    {
      readonly headers?: Readonly<Record<string, unknown>>;
      readonly 'x-error-codes'?: readonly string[];
    }
  >;
}

interface Document {
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
  readonly components: Readonly<Record<string, Record<string, unknown>>> & {
    readonly schemas: Record<string, JsonSchema>;
  };
}

// Plain JSON, as callers read it.
const raw = JSON.stringify(openApiDocument());

/** Puts the shared parameters and responses where an operation refers to them. */
function withShared(text: string): Document {
  const { components } = JSON.parse(text) as Document;
  return JSON.parse(text, (_key, value: unknown) => {
    const ref = typeof value === 'object' && value !== null && '$ref' in value ? value.$ref : '';
    const [, kind, name] = /^#\/components\/(parameters|responses)\/(.+)$/.exec(String(ref)) ?? [];
    return kind === undefined || name === undefined ? value : components[kind]?.[name];
  }) as Document;
}

const document = withShared(raw);

const documentedById = new Map(
  Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => [operation.operationId, operation]),
);

/** What the OpenAPI document says of an operation. */
export function documented(operation: Operation): DocumentedOperation {
  const found = documentedById.get(operation.operationId);
  if (found === undefined) throw new Error(`${operation.operationId} is not in the document`);
  return found;
}

/** The schema itself where `schema` only refers to one. */
export function dereference(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const found = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`${schema.$ref} is not in the document`);
  return found;
}

function matches(template: string, path: string): boolean {
  const wanted = template.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(':') || part === given[index])
  );
}

/** The operation that answers a request; undefined for what is not REST. */
export function operationOf(method: string, target: string): Operation | undefined {
  const path = target.split('?')[0] ?? '';
  return operations.find(
    (row) =>
      row.method === method.toLowerCase() && matches(row.path, path.replace(/(?<=.)\/$/, '')),
  );
}
