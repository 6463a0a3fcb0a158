import { join } from 'node:path';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../rest/openapi/document.ts';
import { createOpenApi } from '../../../rest/openapi/router.ts';
import { exportOperations } from '../../../rest/files/exports.ts';
import { routes } from '../../../rest/routes/table.ts';
import { taxDocumentOperations } from '../../../rest/files/tax-documents.ts';
import { permissions } from '../../../src/access/roles.ts';
import { catalogue, isErrorCode } from '../../../src/errors/catalogue.ts';
import { compareGenerated } from '../../../tools/docs/generated.ts';
import { generatedTexts } from '../../../tools/docs/texts.ts';

// Read as callers get it. The document is checked for its own form, so it is taken as plain JSON.
// oxlint-disable-next-line typescript/no-explicit-any
const document: any = JSON.parse(JSON.stringify(openApiDocument()));
const rows = [...routes, ...exportOperations, ...taxDocumentOperations];
const methods = ['get', 'post', 'put', 'patch', 'delete'];

interface Found {
  readonly name: string;
  readonly path: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly operation: any;
}

const operations: Found[] = Object.entries<Record<string, object>>(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method} ${path}`,
      path,
      operation,
    })),
);

/** Every object inside a value, the value included. */
function* objectsIn(value: unknown): Iterable<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* objectsIn(part);
}

it('gives a date-time its format and no pattern, which generators cannot apply to what they have read', () => {
  const times = [...objectsIn(document)].filter(({ format }) => format === 'date-time');
  expect(times.length).toBeGreaterThan(50);
  expect(times.filter((schema) => 'pattern' in schema)).toEqual([]);
});

function resolve(ref: string): unknown {
  expect(ref).toMatch(/^#\//);
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
}

/** The schemas below a value, with those that it refers to. */
function reachable(value: unknown): Set<Record<string, unknown>> {
  const seen = new Set<Record<string, unknown>>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    for (const object of objectsIn(waiting.pop())) {
      if (seen.has(object)) continue;
      seen.add(object);
      if (typeof object['$ref'] === 'string') waiting.push(resolve(object['$ref']));
    }
  }
  return seen;
}

/** A response or parameter itself where it is only referred to. */
// oxlint-disable-next-line typescript/no-explicit-any
const followed = (found: any): any => (found?.$ref === undefined ? found : resolve(found.$ref));

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 with bearer keys', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: '2026-11-01' });
    expect(document.components.securitySchemes.apiKey).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    });
    expect(document.security).toEqual([{ apiKey: [] }]);
  });

  it('has every route of the table and the exports, and nothing else', () => {
    const ofTable = rows.map((row) => `${row.method} ${row.path.replace(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(({ name }) => name).toSorted()).toEqual(ofTable.toSorted());
    expect(new Set(ofTable).size).toBe(ofTable.length);
    for (const { name, path } of operations) {
      expect(methods).toContain(name.split(' ')[0]);
      expect(path).toMatch(/^\/v1\/[a-z{}\w/-]+$/);
      expect(path).not.toContain('provider-webhooks');
    }
  });

  it('names each operation once and refers to nothing that is missing', () => {
    const ids = operations.map(({ operation }) => operation.operationId as string);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }: { name: string }) => name);
    for (const { operation } of operations) expect(tags).toContain(operation.tags[0]);
    for (const { $ref } of objectsIn(document)) {
      if (typeof $ref === 'string') expect(resolve($ref), $ref).toBeDefined();
    }
  });

  it.each(operations)('$name: parameters of the path, permission, answers', (found) => {
    const { path, operation } = found;
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters
      .map(followed)
      .filter((p: { in: string }) => p.in === 'path');
    expect(declared.map((p: { name: string }) => p.name)).toEqual(named);
    for (const parameter of declared) expect(parameter.required).toBe(true);

    const row = rows.find(({ operationId }) => operationId === operation.operationId);
    if (row === undefined || row.permission === null) expect(operation.security).toEqual([]);
    else {
      expect(operation['x-permission']).toBe(row.permission);
      expect(operation['x-roles']).toEqual(permissions[row.permission]);
      expect(operation.description).toContain(row.permission);
      expect(followed(operation.responses['401'])['x-error-codes']).toEqual(['unauthorized']);
    }
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(Object.keys(row?.responses ?? {})));
    for (const code of row?.errors ?? []) {
      const answer = followed(operation.responses[catalogue[code].status]);
      expect(answer['x-error-codes']).toContain(code);
      expect(answer.description).toContain(code);
    }
  });

  it.each(operations)('$name: no body of JSON stands inline', ({ operation }) => {
    const bodies = [operation.requestBody ?? {}, ...Object.values(operation.responses)];
    for (const body of bodies) {
      const schema = followed(body).content?.['application/json']?.schema;
      if (schema !== undefined) expect(Object.keys(schema)).toEqual(['$ref']);
    }
  });

  it.each(operations)('$name: errors have the envelope and codes of their status', (found) => {
    for (const [status, declared] of Object.entries(found.operation.responses)) {
      if (status.startsWith('2') || status === '304') continue;
      const answer = followed(declared);
      const [base, own] = followed(answer.content['application/json'].schema).allOf;
      expect(base).toEqual({ $ref: '#/components/schemas/ErrorEnvelope' });
      expect(own.properties.error.properties.code.enum).toEqual(answer['x-error-codes']);
      for (const code of answer['x-error-codes'] as string[]) {
        const expected = isErrorCode(code) ? catalogue[code].status : undefined;
        expect(['413', '416'].includes(status) ? Number(status) : expected, code).toBe(
          Number(status),
        );
      }
    }
  });

  it('lets answers grow, and refuses unknown fields of requests', () => {
    for (const { name, operation } of operations) {
      for (const schema of reachable(operation.responses)) {
        expect(schema['additionalProperties'], name).not.toBe(false);
      }
    }
    expect(document.components.schemas.PayoutCreate.additionalProperties).toBe(false);
  });

  it('has no property that can only be null: some generators of clients leave it out', () => {
    for (const { properties } of objectsIn(document)) {
      for (const [name, schema] of Object.entries((properties ?? {}) as Record<string, unknown>)) {
        expect((schema as { type?: unknown }).type, name).not.toBe('null');
      }
    }
  });

  it('describes the exports as CSV', () => {
    for (const path of ['/v1/beneficiaries/export', '/v1/reporting/transactions/export']) {
      expect(document.paths[path].get.responses['200'].content).toHaveProperty(['text/csv']);
    }
  });
});

describe('docs/openapi.json', () => {
  it('is what the code makes now', async () => {
    const root = join(import.meta.dirname, '../../..');
    const texts = generatedTexts.filter(({ file }) => file === 'docs/openapi.json');
    const results = await compareGenerated(root, texts, { write: false });
    expect(results).toEqual([{ name: 'docs/openapi.json', fresh: true }]);
  });
});

describe('GET /v1/openapi.json', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer(express().use(createOpenApi()));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterAll(() => server.close());

  it('answers the document without a key', async () => {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/v1/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await answer.json()).toEqual(document);
  });
});
