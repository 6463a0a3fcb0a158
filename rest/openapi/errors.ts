import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { catalogue, type ErrorCode } from '../../src/errors/catalogue.ts';
import type { Operation } from '../route/route.ts';
import { environment } from '../contracts/common.ts';
import { schemaEnum } from '../contracts/schema-enum.ts';

/** The envelope of every answer that is not a success. */
const errorEnvelope = z
  .object({
    error: z.object({
      code: z.string().meta({
        description: 'Stable; one of the error reference. More may be added.',
        examples: ['validation_failed'],
      }),
      message: z.string().meta({ description: 'Text for people; it may change.' }),
      request_id: z.string(),
      occurred_at: z.iso.datetime(),
      actor: z
        .object({
          user_id: z.string(),
          membership_id: z.string(),
          role: schemaEnum('Role'),
          environment: environment,
        })
        .nullable()
        .meta({ description: 'The caller; null without a valid credential.' }),
      details: z
        .array(z.object({ field: z.string(), code: z.string(), message: z.string() }))
        .optional()
        .meta({ description: 'The rejected fields; only on validation failures.' }),
      docs_url: z.url().meta({ description: 'Section of the error reference.' }),
    }),
  })
  .meta({ id: 'ErrorEnvelope' });

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

function errorResponse(codes: readonly ErrorCode[], limited: boolean): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `- \`${code}\`: ${catalogue[code].meaning}`).join('\n'),
    ...(limited
      ? { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } }
      : {}),
    content: { 'application/json': { schema: errorEnvelope } },
    'x-error-codes': codes,
  };
}

/** Every error that an operation can answer, by HTTP status. */
export function errorResponses(
  row: Operation,
): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...commonErrors(row), ...row.errors])) {
    const { status } = catalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> = {};
  for (const [status, codes] of byStatus) {
    responses[`${status}` as `4${string}`] = errorResponse(
      codes.toSorted(),
      status === 429 || status === 503,
    );
  }
  if (row.body !== undefined) {
    responses['413'] = {
      ...errorResponse(['bad_request'], false),
      description: '- `bad_request`: The body is too large.',
    };
  }
  if (row.responses[206] !== undefined) {
    responses['416'] = {
      ...errorResponse(['bad_request'], false),
      description: '- `bad_request`: The range lies behind the end of the file.',
    };
  }
  return responses;
}
