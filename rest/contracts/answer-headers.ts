import type { ZodOpenApiHeaderObject } from 'zod-openapi';

const text = { type: 'string' as const };
const integer = { type: 'integer' as const };

/** Headers that every answer below `/v1` has, refusals too. */
export const commonHeaders = {
  'X-Request-Id': {
    description:
      "Id of the request, to be quoted to support: the caller's own where it sent a well-formed one.",
    schema: text,
    example: 'req_01kah9x3c5fs8v2t6m4n0p7r1d',
  },
  'X-Api-Version': {
    description: 'Version of the API that answered.',
    schema: text,
    example: '2026-11-01',
  },
  RateLimit: {
    description:
      'What is left of the limit that counts the request (`r`) and the seconds until it is full again (`t`): draft-ietf-httpapi-ratelimit-headers.',
    schema: text,
    example: '"tenant";r=119;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limit that counts the request: its quota (`q`) in a window of seconds (`w`).',
    schema: text,
    example: '"tenant";q=120;w=60',
  },
} satisfies Record<string, ZodOpenApiHeaderObject>;

/** Headers that some answers have. */
export const furtherHeaders = {
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: integer,
    example: 5,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 9110, section 11.6.1).',
    schema: text,
    example: 'Bearer',
  },
  'Idempotent-Replayed': {
    description:
      '`true` where the answer repeats what the same request did before; absent otherwise.',
    schema: { ...text, enum: ['true'] },
    example: 'true',
  },
  Deprecation: {
    description:
      'Since when what the request used is deprecated (RFC 9745), here `bank_details`; absent otherwise.',
    schema: text,
    example: '@1793491200',
  },
  Location: {
    description: 'Path that answers the file once it is written.',
    schema: text,
    example: '/v1/exports/exp_01kah9x3c5fs8v2t6m4n0p7r1d',
  },
  'Preference-Applied': {
    description: 'The preference that was followed (RFC 7240).',
    schema: text,
    example: 'respond-async',
  },
  'Content-Disposition': {
    description: 'The name to save the file under.',
    schema: text,
    example: 'attachment; filename="transactions.csv"',
  },
  ETag: {
    description: 'Version of the file, for If-Range and If-None-Match.',
    schema: text,
    example: '"1-20480"',
  },
  'Accept-Ranges': {
    description: 'Parts of the file can be asked for by bytes.',
    schema: text,
    example: 'bytes',
  },
  'Content-Range': {
    description: 'Which part of the file it is, and the size of the whole.',
    schema: text,
    example: 'bytes 1048576-2097151/2097152',
  },
} satisfies Record<string, ZodOpenApiHeaderObject>;

/** The name of a header that only some answers have. */
export type FurtherHeader = keyof typeof furtherHeaders;
