import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { currentApiVersion } from '../../src/values/api-version.ts';
import { exportOperations } from '../files/exports.ts';
import { bulkInviteRow, invite } from '../contracts/collection.ts';
import { payoutBulkRow } from '../contracts/payouts.ts';
import type { Operation } from '../route/route.ts';
import { tags } from '../route/tags.ts';
import { routes } from '../routes/table.ts';
import { taxDocumentOperations } from '../files/tax-documents.ts';
import { errorEnvelope, sharedResponses } from './errors.ts';
import { describeFields } from './descriptions.ts';
import { parameterExample } from './examples.ts';
import { guide } from './guide.ts';
import { headerComponents } from './headers.ts';
import { nameSchemas } from './named-schemas.ts';
import { operationObject } from './operation.ts';
import { webhooks } from './webhooks.ts';

/** Every operation of the API: the route table and the downloads. */
const operations: readonly Operation[] = [...routes, ...exportOperations, ...taxDocumentOperations];

/** `/v1/payouts/:payoutId` as OpenAPI writes it. */
function template(expressPath: string): string {
  return expressPath.replace(/:(\w+)/g, '{$1}');
}

/** Schemas to which others refer by name. */
const componentSchemas = {
  BulkInviteRow: bulkInviteRow,
  CollectionInvite: invite,
  ErrorEnvelope: errorEnvelope,
  PayoutBulkRow: payoutBulkRow,
};

function pathsOf(rows: readonly Operation[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const row of rows) {
    const item = (paths[template(row.path)] ??= {});
    item[row.method] = operationObject(row);
  }
  return paths;
}

type Document = ReturnType<typeof createDocument>;
type PathItem = NonNullable<Document['paths']>[string];
type OperationObject = NonNullable<PathItem['get']>;

/** Adds to the parameters what was sent in them; a shared one has no value of an operation. */
function addParameterExamples(document: Document): void {
  for (const operation of Object.values(document.paths ?? {}).flatMap(operationsOf)) {
    for (const parameter of operation.parameters ?? []) {
      if ('$ref' in parameter) continue;
      const example = parameterExample(operation.operationId ?? '', parameter.name);
      if (example !== undefined) parameter.example = example;
    }
  }
}

function operationsOf({ get, post, put, patch, delete: remove }: PathItem): OperationObject[] {
  return [get, post, put, patch, remove].filter((operation) => operation !== undefined);
}

/**
 * The OpenAPI 3.1 document, from the route table and the contracts that the handlers check with.
 * Inbound provider events are not in it: their callers are providers, not users of the API.
 */
export function openApiDocument() {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Payout Orchestration Service',
        version: currentApiVersion,
        summary: 'Payouts to people and businesses, with compliance, approvals and webhooks',
        description: guide,
        contact: { name: 'The operator of this installation' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'The server that this document comes from.' }],
      security: [{ apiKey: [] }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths: pathsOf(operations),
      webhooks: webhooks(),
      components: {
        headers: headerComponents,
        responses: sharedResponses(),
        schemas: componentSchemas,
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'pos_<environment>_<id>_<secret>',
            description:
              'An API key of a member of the business. Its role decides which operations it may call.',
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
        // The format says it all. Generators that read a date-time apply no pattern to what they have read.
        if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      },
    },
  );
  addParameterExamples(document);
  const named = Object.values(document.paths ?? {}).flatMap(operationsOf);
  nameSchemas(named, (document.components ??= {}));
  describeFields((document.components?.schemas ?? {}) as Parameters<typeof describeFields>[0]);
  return document;
}
