import type { z } from 'zod';
import type {
  ZodObjectInput,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import { permissions } from '../../src/access/roles.ts';
import { documentFile, documentTypes } from '../contracts/collection.ts';
import { csvFile } from '../contracts/exports.ts';
import { idempotencyKeyHeaders } from '../http/idempotency-key.ts';
import type { Operation } from '../route/route.ts';
import { errorResponses } from './errors.ts';

const statusTexts: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the outcome comes later.',
  204: 'Done; the answer has no body.',
  206: 'The part that was asked for.',
  304: 'The file has not changed; the answer has no body.',
};

const onEveryAnswer = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'X-Api-Version': { $ref: '#/components/headers/X-Api-Version' },
};

const onEveryLimitedAnswer = {
  ...onEveryAnswer,
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
};

/** The media types of a body: JSON, unless its contract stands for a file. */
function mediaTypesOf(body: z.ZodType): readonly string[] {
  if (body === csvFile) return ['text/csv'];
  return body === documentFile ? documentTypes : ['application/json'];
}

function contentOf(body: z.ZodType) {
  return Object.fromEntries(mediaTypesOf(body).map((type) => [type, { schema: body }]));
}

function success(row: Operation, status: number, body: z.ZodType | null): ZodOpenApiResponseObject {
  return {
    description: statusTexts[status] ?? 'Success.',
    headers: row.permission === null ? onEveryAnswer : onEveryLimitedAnswer,
    ...(body === null ? {} : { content: contentOf(body) }),
  };
}

function successes(row: Operation): Record<`${2 | 3}${string}`, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(row.responses).map(([status, body]) => [
      status,
      success(row, Number(status), body),
    ]),
  );
}

/** Who may call an operation, in words and as extensions that programs can read. */
function access({ permission }: Operation) {
  if (permission === null) return { description: 'Needs no credential.', security: [] };
  const allowed = permissions[permission];
  return {
    description: `Permission \`${permission}\`: ${allowed.join(', ')}.`,
    'x-permission': permission,
    'x-roles': allowed,
  };
}

function requestParams({ params, query, headers: own, idempotencyKey }: Operation) {
  const headers = idempotencyKey === 'of_body' ? idempotencyKeyHeaders : own;
  // The table's contracts of path and query are objects; the row forgot it (see `route`).
  return {
    ...(params === undefined ? {} : { path: params as unknown as ZodObjectInput }),
    ...(query === undefined ? {} : { query: query as unknown as ZodObjectInput }),
    ...(headers === undefined ? {} : { header: headers as unknown as ZodObjectInput }),
  };
}

/** One operation of the document, from its row. */
export function operationObject(row: Operation): ZodOpenApiOperationObject {
  return {
    operationId: row.operationId,
    summary: row.summary,
    ...access(row),
    tags: [row.tag],
    requestParams: requestParams(row),
    ...(row.body === undefined
      ? {}
      : {
          requestBody: {
            required: !row.body.safeParse(undefined).success,
            content: {
              'application/json': { schema: row.body },
              ...(row.csv === undefined ? {} : { 'text/csv': { schema: row.csv } }),
            },
          },
        }),
    responses: { ...successes(row), ...errorResponses(row) },
  };
}
