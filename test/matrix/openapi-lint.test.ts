import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../rest/openapi/document.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Record<string, Schema>;
  readonly [keyword: string]: unknown;
}

interface Reference {
  readonly $ref: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Response {
  readonly description?: string;
  readonly content?: Record<string, unknown>;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Record<string, unknown> };
  readonly responses: Record<string, Response | Reference>;
}

interface Document {
  readonly info: { readonly description?: string; readonly license?: unknown };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, unknown>>;
}

// Plain JSON, as callers and their tools read it.
const text = JSON.stringify(openApiDocument());
const document = JSON.parse(text) as Document;

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method} ${path}`,
    path,
    method,
    operation,
  })),
);

/** Reads a local reference. */
function resolve(ref: string): unknown {
  return ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
}

/** The thing itself where it is only referred to. */
function followed<T extends object>(found: T | Reference): T {
  return '$ref' in found ? (resolve(found.$ref) as T) : found;
}

const parametersOf = ({ parameters = [] }: Operation): Parameter[] => parameters.map(followed);

function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === '';
}

/** Every string value under `key`, anywhere. */
function valuesOf(key: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === key && typeof part === 'string' ? [part] : valuesOf(key, part),
  );
}

describe('the OpenAPI document', () => {
  it('has one operationId for each operation, a verb first, in camelCase', () => {
    const ids = operations.map(({ operation }) => operation.operationId ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
  });

  it.each(operations)('$name is described', ({ operation }) => {
    expect(isBlank(operation.summary)).toBe(false);
    expect(operation.summary).not.toMatch(/\.$/);
    expect(isBlank(operation.description)).toBe(false);
    expect(operation.tags).toHaveLength(1);
  });

  it.each(operations)('$name: every parameter has a description and a schema', (found) => {
    const undescribed = parametersOf(found.operation)
      .filter(({ description, schema }) => isBlank(description ?? schema?.description))
      .map(({ name }) => name);
    expect(undescribed).toEqual([]);
    for (const { schema, name } of parametersOf(found.operation)) {
      expect(schema, name).toBeDefined();
    }
  });

  it.each(operations)('$name: parameters of the path are declared once, and no others', (found) => {
    const templated = [...found.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = parametersOf(found.operation).filter((p) => p.in === 'path');
    expect(declared.map(({ name }) => name)).toEqual(templated);
    const keys = parametersOf(found.operation).map((p) => `${p.in} ${p.name}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(operations)('$name: every answer is described, successes and refusals', (found) => {
    const statuses = Object.keys(found.operation.responses);
    expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
    expect(statuses.some((status) => status.startsWith('4'))).toBe(true);
    expect(statuses).toContain('500');
    for (const [status, response] of Object.entries(found.operation.responses)) {
      const { description, content } = followed(response);
      expect(isBlank(description), status).toBe(false);
      // RFC 9110, sections 15.3.5 and 15.4.5.
      expect(content === undefined, `${status}: a body, except for 204 and 304`).toBe(
        status === '204' || status === '304',
      );
    }
  });

  it('gives no body to operations whose method has no meaning for one', () => {
    for (const { method, operation, name } of operations) {
      if (['get', 'delete'].includes(method)) expect(operation.requestBody, name).toBeUndefined();
    }
  });

  it('has no paths that differ only in the names of their parameters', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
    for (const path of Object.keys(document.paths)) expect(path).not.toMatch(/\/$|\?/);
  });

  it('declares the tags that are used, in order, and uses those that are declared', () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
    expect(document.tags.map(({ name }) => name)).toEqual([...used].toSorted());
  });

  it('uses every component, and refers to nothing else', () => {
    const refs = new Set(valuesOf('$ref', document));
    for (const ref of refs) expect(resolve(ref), ref).toBeDefined();
    const components = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, members]) =>
        Object.keys(members).map((name) => `#/components/${kind}/${name}`),
      );
    expect(components.filter((component) => !refs.has(component))).toEqual([]);
  });

  it('says what it is, under which licence, and names nothing of the machine it was made on', () => {
    expect(isBlank(document.info.description)).toBe(false);
    expect(document.info.license).toBeDefined();
    expect(text).not.toMatch(/localhost|127\.0\.0\.1/);
  });
});
