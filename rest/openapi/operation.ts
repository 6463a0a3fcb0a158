import type { z } from 'zod';
import type {
  ZodObjectInput,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import { permissions } from '../../src/access/roles.ts';
import { csvFile } from '../contracts/exports.ts';
import type { Operation } from '../route.ts';
import { errorResponses } from './errors.ts';

const statusTexts: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the outcome comes later.',
  204: 'Done; the answer has no body.',
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

function success(row: Operation, status: number, body: z.ZodType | null): ZodOpenApiResponseObject {
  const mediaType = body === csvFile ? 'text/csv' : 'application/json';
  return {
    description: statusTexts[status] ?? 'Success.',
    headers: row.permission === null ? onEveryAnswer : onEveryLimitedAnswer,
    ...(body === null ? {} : { content: { [mediaType]: { schema: body } } }),
  };
}

function successes(row: Operation): Record<`2${string}`, ZodOpenApiResponseObject> {
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

function requestParams({ params, query }: Operation) {
  // The table's contracts of path and query are objects; the row forgot it (see `route`).
  return {
    ...(params === undefined ? {} : { path: params as unknown as ZodObjectInput }),
    ...(query === undefined ? {} : { query: query as unknown as ZodObjectInput }),
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
            content: { 'application/json': { schema: row.body } },
          },
        }),
    responses: { ...successes(row), ...errorResponses(row) },
  };
}
