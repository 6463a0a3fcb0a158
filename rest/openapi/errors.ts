import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { catalogue, type ErrorCode } from '../../src/errors/catalogue.ts';
import type { FurtherHeader } from '../contracts/answer-headers.ts';
import { environment, errorCode, errorDetails } from '../contracts/common.ts';
import { schemaEnum } from '../contracts/schema-enum.ts';
import type { Operation } from '../route/route.ts';
import { errorExamples, type Examples } from './examples.ts';
import { headersOf } from './headers.ts';

/** The envelope of every answer that is not a success. */
export const errorEnvelope = z
  .object({
    error: z.object({
      code: errorCode,
      message: z.string().meta({ description: 'Text for people; it may change.' }),
      request_id: z
        .string()
        .meta({ description: 'Id of the request, as in the header X-Request-Id.' }),
      occurred_at: z.iso.datetime().meta({ description: 'ISO 8601 date-time in UTC.' }),
      actor: z
        .object({
          user_id: z.string().meta({ description: 'Id of the user.' }),
          membership_id: z.string().meta({ description: 'Id of the membership in the business.' }),
          role: schemaEnum('Role').meta({ description: 'Role of the key.' }),
          environment,
        })
        .nullable()
        .meta({ description: 'The caller; null without a valid credential.' }),
      details: errorDetails.optional().meta({
        description:
          'The rejected fields on validation failures, and the shortfall on FUNDING_INSUFFICIENT.',
      }),
      docs_url: z.url().meta({ description: 'Section of the error reference about the code.' }),
    }),
  })
  .meta({ id: 'ErrorEnvelope', unusedIO: 'output' });

/** What any operation can answer, besides what its row names. */
function commonErrors({ permission }: Operation): ErrorCode[] {
  const codes: ErrorCode[] = [
    'bad_request',
    'validation_failed',
    // Of an address that showed too many invalid keys, whatever it asks.
    'too_many_requests',
    'internal_error',
    'service_unavailable',
  ];
  if (permission === null) return codes;
  // Every role may read, and yet `forbidden` is everywhere: an operator's key opens no resource.
  codes.push('unauthorized', 'RATE_LIMITED', 'forbidden');
  return codes;
}

/** The refusals with one status: their codes, and what they mean where the catalogue is too general. */
interface Refusal {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
  readonly means?: string;
}

/** Refusals that several operations have in common, each described once. */
const shared: Readonly<Record<string, Refusal>> = {
  BadRequest: { status: 400, codes: ['bad_request', 'validation_failed'] },
  Unauthorized: { status: 401, codes: ['unauthorized'] },
  Forbidden: { status: 403, codes: ['forbidden'] },
  NotFound: { status: 404, codes: ['not_found'] },
  PayoutNotFound: { status: 404, codes: ['PAYOUT_NOT_FOUND'] },
  Conflict: { status: 409, codes: ['conflict'] },
  TooLarge: { status: 413, codes: ['bad_request'], means: 'The body is too large.' },
  RangeNotSatisfiable: {
    status: 416,
    codes: ['bad_request'],
    means: 'The range lies behind the end of the file.',
  },
  TooManyRequests: { status: 429, codes: ['RATE_LIMITED', 'too_many_requests'] },
  InternalError: { status: 500, codes: ['internal_error'] },
  Unavailable: { status: 503, codes: ['service_unavailable'] },
};

const furtherHeaders: Readonly<Record<number, readonly FurtherHeader[]>> = {
  401: ['WWW-Authenticate'],
  416: ['Content-Range', 'ETag', 'Accept-Ranges'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function response({ status, codes, means }: Refusal, examples: Examples): ZodOpenApiResponseObject {
  return {
    description: codes
      .map((code) => `- \`${code}\`: ${means ?? catalogue[code].meaning}`)
      .join('\n'),
    headers: headersOf(furtherHeaders[status] ?? []),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorEnvelope' },
            {
              type: 'object',
              properties: {
                error: {
                  type: 'object',
                  properties: { code: { type: 'string', enum: [...codes] } },
                  required: ['code'],
                },
              },
              required: ['error'],
            },
          ],
        },
        ...examples,
      },
    },
    'x-error-codes': [...codes],
  };
}

/** The shared refusals as components. */
export function sharedResponses(): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(shared).map(([name, refusal]) => [
      name,
      response(refusal, errorExamples(null, refusal.status, refusal.codes)),
    ]),
  );
}

function sharedName({ status, codes, means }: Refusal): string | undefined {
  return Object.keys(shared).find((name) => {
    const other = shared[name];
    return other?.status === status && other.means === means && other.codes.join() === codes.join();
  });
}

/** Every refusal of an operation, in the order of their statuses. */
function refusalsOf(row: Operation): Refusal[] {
  const byStatus = Map.groupBy(
    new Set([...commonErrors(row), ...row.errors]),
    (code) => catalogue[code].status,
  );
  const refusals: Refusal[] = [...byStatus].map(([status, codes]) => ({
    status,
    codes: codes.toSorted(),
  }));
  const { TooLarge, RangeNotSatisfiable } = shared;
  if (row.body !== undefined && TooLarge !== undefined) refusals.push(TooLarge);
  if (row.responses[206] !== undefined && RangeNotSatisfiable !== undefined) {
    refusals.push(RangeNotSatisfiable);
  }
  return refusals.toSorted((a, b) => a.status - b.status);
}

/** Every refusal of an operation as a response, by HTTP status. */
export function errorResponses(row: Operation): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  for (const refusal of refusalsOf(row)) {
    const { status, codes } = refusal;
    const name = sharedName(refusal);
    responses[`${status}` as `4${string}`] =
      name === undefined
        ? response(refusal, errorExamples(row.operationId, status, codes))
        : { $ref: `#/components/responses/${name}` };
  }
  return responses;
}
