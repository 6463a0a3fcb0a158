import { z } from 'zod';
import type {
  ZodObjectInput,
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiRequestBodyObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import { permissions } from '../../src/access/roles.ts';
import { documentFile, documentTypes } from '../contracts/collection.ts';
import { csvFile } from '../contracts/exports.ts';
import type { DeclaredAnswer, Operation } from '../route/route.ts';
import { errorResponses } from './errors.ts';
import { answerExamples, requestExamples } from './examples.ts';
import { headersOf } from './headers.ts';

/** The media types of a body: JSON, unless its contract stands for a file. */
function mediaTypesOf(body: z.ZodType): readonly string[] {
  if (body === csvFile) return ['text/csv'];
  return body === documentFile ? documentTypes : ['application/json'];
}

function contentOf(row: Operation, status: number, body: z.ZodType): ZodOpenApiContentObject {
  const examples = body === documentFile ? {} : answerExamples(row.operationId, status);
  return Object.fromEntries(
    mediaTypesOf(body).map((type) => [type, { schema: body, ...examples }]),
  );
}

function success(
  row: Operation,
  status: number,
  { means, body, headers = [] }: DeclaredAnswer,
): ZodOpenApiResponseObject {
  return {
    description: means,
    headers: headersOf(headers),
    ...(body === null ? {} : { content: contentOf(row, status, body) }),
  };
}

function successes(row: Operation): Record<`${2 | 3}${string}`, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(row.responses).map(([status, answer]) => [
      status,
      success(row, Number(status), answer),
    ]),
  );
}

/** Who may call an operation, as extensions that programs can read. */
function access({ permission }: Operation) {
  if (permission === null) return { security: [] };
  return { 'x-permission': permission, 'x-roles': permissions[permission] };
}

function isPaged({ query }: Operation): boolean {
  return query instanceof z.ZodObject && 'cursor' in query.shape;
}

function description(row: Operation): string {
  const { details, permission } = row;
  const needs =
    permission === null
      ? 'Needs no credential.'
      : `Permission \`${permission}\`: ${permissions[permission].join(', ')}.`;
  const paged = isPaged(row) ? ['Answers one page: see Pagination.'] : [];
  return [...(details === undefined ? [] : [details]), ...paged, needs].join('\n\n');
}

function requestParams({ params, query, headers }: Operation) {
  // The table's contracts of path and query are objects; the row forgot it (see `route`).
  return {
    ...(params === undefined ? {} : { path: params as unknown as ZodObjectInput }),
    ...(query === undefined ? {} : { query: query as unknown as ZodObjectInput }),
    ...(headers === undefined ? {} : { header: headers as unknown as ZodObjectInput }),
  };
}

function requestBody({ operationId, body, csv }: Operation): ZodOpenApiRequestBodyObject | null {
  if (body === undefined) return null;
  const media = (type: string, schema: z.ZodType) => ({
    [type]: { schema, ...requestExamples(operationId, type) },
  });
  return {
    required: !body.safeParse(undefined).success,
    content: {
      ...media('application/json', body),
      ...(csv === undefined ? {} : media('text/csv', csv)),
    },
  };
}

/** One operation of the document, from its row. */
export function operationObject(row: Operation): ZodOpenApiOperationObject {
  const body = requestBody(row);
  return {
    operationId: row.operationId,
    summary: row.summary,
    description: description(row),
    ...access(row),
    tags: [row.tag],
    requestParams: requestParams(row),
    ...(body === null ? {} : { requestBody: body }),
    responses: { ...successes(row), ...errorResponses(row) },
  };
}
