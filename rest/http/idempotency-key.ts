import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { invalid } from '../../src/errors/domain-error.ts';
import { fieldErrors } from '../../src/values/field-errors.ts';
import { idempotencyKey } from '../../src/values/fields.ts';

/** The header that may stand in the place of the body's `idempotency_key` (IETF draft of that name). */
export const idempotencyKeyHeader = 'Idempotency-Key';

const lowerCase = 'idempotency-key';

/** A string of RFC 9651, section 3.3.3: printable ASCII in quotes, which a backslash escapes. */
const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const printable = /^[ -~]*$/;

/** A header `Idempotency-Key`, for the contracts that name it. */
export const idempotencyKeyHeaders = z.object({
  [idempotencyKeyHeader]: z
    .string()
    .optional()
    .meta({
      description:
        'The key of the request, in the place of `idempotency_key` or equal to it: 1 to 255 printable ASCII characters, in quotes as a structured header or without.',
      examples: ['"invoice-2026-118"'],
    }),
});

function refused(code: string, message: string): never {
  throw invalid([{ field: idempotencyKeyHeader, code, message }]);
}

/** The text of the header without its quotes; undefined where there is no such header. */
function headerText(request: IncomingMessage): string | undefined {
  const [given, ...more] = request.headersDistinct[lowerCase] ?? [];
  if (given === undefined) return undefined;
  if (more.length > 0) refused('duplicate', 'Must be sent once.');
  if (!printable.test(given)) {
    // The bytes of other characters have no agreed meaning in a header (RFC 9110, section 5.5).
    refused('invalid_format', 'Must be printable ASCII; send another key as idempotency_key.');
  }
  if (!given.startsWith('"')) return given;
  const inside = quoted.exec(given)?.[1];
  if (inside === undefined) refused('invalid_format', 'Must be one quoted string, or no quotes.');
  return inside.replace(/\\(.)/g, '$1');
}

/** The key of the header, with the field's limits; undefined without one. Throws validation_failed. */
function headerKey(request: IncomingMessage): string | undefined {
  const text = headerText(request);
  if (text === undefined) return undefined;
  const key = idempotencyKey.safeParse(text);
  if (key.success) return key.data;
  throw invalid(
    fieldErrors(key.error, text).map((error) => ({ ...error, field: idempotencyKeyHeader })),
  );
}

/**
 * A body with the key of the header, if there is one, as its `idempotency_key`. Header and field make
 * the same command, so the one replays the other. A field that is itself malformed stays as it is, for
 * the contract to refuse. Throws `validation_failed` when the two differ and when the header is
 * malformed.
 */
export function withIdempotencyKey(request: IncomingMessage, body: unknown): unknown {
  const key = headerKey(request);
  if (key === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) {
    return body;
  }
  if (!('idempotency_key' in body)) return { ...body, idempotency_key: key };
  const field = idempotencyKey.safeParse(body.idempotency_key);
  if (field.success && field.data !== key) {
    throw invalid([
      {
        field: 'idempotency_key',
        code: 'mismatch',
        message: `Differs from the header ${idempotencyKeyHeader}; send one of them, or the same in both.`,
      },
    ]);
  }
  return body;
}

/**
 * Throws `validation_failed` for a header on a request whose rows have keys of their own. The header
 * would seem to protect the whole request, and a repetition with changed rows would create payouts.
 */
export function refuseIdempotencyKey(request: IncomingMessage): void {
  if (request.headersDistinct[lowerCase] === undefined) return;
  refused('not_applicable', 'Each row has its own idempotency_key; send no key for the request.');
}
