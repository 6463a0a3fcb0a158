import { Router } from 'express';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { currentApiVersion } from '../../src/values/api-version.ts';
import { exportOperations } from '../files/exports.ts';
import { facts } from '../route/handler.ts';
import { operationObject } from './operation.ts';
import type { Operation } from '../route/route.ts';
import { routes } from '../routes/table.ts';
import { taxDocumentOperations } from '../files/tax-documents.ts';

const path = '/v1/openapi.json';

/** Every operation of the API: the route table and the downloads. */
const operations: readonly Operation[] = [...routes, ...exportOperations, ...taxDocumentOperations];

const textHeader = (description: string) => ({ description, schema: { type: 'string' as const } });

const headers = {
  'X-Request-Id': textHeader(
    "Id of the request; the caller's own where it sent a well-formed one.",
  ),
  'X-Api-Version': textHeader('Version that answered.'),
  RateLimit: textHeader('What is left of the limit, and for how long (IETF draft).'),
  'RateLimit-Policy': textHeader('The limit and its window (IETF draft).'),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const } },
};

/** `/v1/payouts/:payoutId` as OpenAPI writes it. */
function template(expressPath: string): string {
  return expressPath.replace(/:(\w+)/g, '{$1}');
}

function pathsOf(rows: readonly Operation[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const row of rows) {
    const item = (paths[template(row.path)] ??= {});
    item[row.method] = operationObject(row);
  }
  return paths;
}

/**
 * The OpenAPI 3.1 document, from the route table and the contracts that the handlers check with.
 * Inbound provider events are not in it: their callers are providers, not users of the API.
 */
export function openApiDocument() {
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Payout Orchestration Service',
        version: currentApiVersion,
        description:
          'Payees, compliance, bank accounts, approvals, payouts and signed webhooks. An API key decides the business and the environment (sandbox or production). Amounts are integers of minor units. Unknown fields and parameters are refused.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'The server that this document comes from.' }],
      security: [{ apiKey: [] }],
      tags: [...new Set(operations.map(({ tag }) => tag))].toSorted().map((name) => ({ name })),
      paths: pathsOf(operations),
      components: {
        headers,
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key: `pos_<environment>_<id>_<secret>`.',
          },
        },
      },
    },
    {
      // An answer may gain fields: a client that refused them would break by an addition.
      override: ({ jsonSchema, io }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false) {
          delete jsonSchema.additionalProperties;
        }
      },
    },
  );
}

/** Serves the document; reading it needs no key. */
export function createOpenApi(document = openApiDocument()): Router {
  const router = Router();
  router.get(path, (_request, response) => {
    facts(response).route = path;
    response.json(document);
  });
  return router;
}
