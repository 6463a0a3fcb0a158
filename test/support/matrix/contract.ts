import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { catalogue, isErrorCode } from '../../../src/errors/catalogue.ts';
import type { Operation } from '../../../rest/route/route.ts';
import { commonHeaders, furtherHeaders } from '../../../rest/contracts/answer-headers.ts';
import { documentFile, documentTypes } from '../../../rest/contracts/collection.ts';
import { csvFile } from '../../../rest/contracts/exports.ts';
import { documented, operationOf } from './rest-operations.ts';

/** What the check reads of an answer. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const special = Object.keys(furtherHeaders);

/** Every answer has the common headers, and of the further ones only those that are declared. */
function headerProblems(row: Operation, { status, headers }: Answer): string[] {
  const declared = Object.keys(documented(row).responses[status]?.headers ?? {});
  return [
    ...Object.keys(commonHeaders)
      .filter((name) => !headers.has(name))
      .map((name) => `the header ${name} is missing`),
    ...special
      .filter((name) => headers.has(name) && !declared.includes(name))
      .map((name) => `the header ${name} is not declared`),
  ];
}

/** The envelope of an error, written here on its own: nothing may be added to it silently. */
const envelope = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string().min(1),
    request_id: z.string().min(1),
    occurred_at: z.iso.datetime(),
    actor: z
      .strictObject({
        user_id: z.string(),
        membership_id: z.string(),
        role: z.string(),
        environment: z.enum(['sandbox', 'production']),
      })
      .nullable(),
    details: z
      .array(
        z.strictObject({
          field: z.string(),
          code: z.string(),
          message: z.string(),
          currency: z.string().optional(),
          available_minor: z.int().optional(),
          shortfall_minor: z.int().optional(),
        }),
      )
      .min(1)
      .optional(),
    docs_url: z.url(),
  }),
});

/** Codes whose cause lies in single fields; no other carries details. */
const withDetails = new Set([
  // A payout in another currency than its account's.
  'unprocessable_entity',
  'validation_failed',
  'BANK_ACCOUNT_VALIDATION_FAILED',
  'FUNDING_INSUFFICIENT',
  'NAME_CHECK_NOT_PASSED',
  'PAYEE_ADDRESS_INCOMPLETE',
  'PAYOUT_ROUTE_UNFIT',
]);

function successProblems(row: Operation, { status, headers, text }: Answer): string[] {
  if (!Object.hasOwn(row.responses, status)) return [`status ${status} is not declared`];
  const contract = row.responses[status]?.body ?? null;
  if (contract === null) return text === '' ? [] : ['the contract has no body'];
  if (contract === csvFile) {
    return (headers.get('content-type') ?? '').startsWith('text/csv') ? [] : ['it is not CSV'];
  }
  if (contract === documentFile) {
    const type = headers.get('content-type') ?? '';
    return documentTypes.some((known) => known === type) ? [] : ['it is no document'];
  }
  const body: unknown = JSON.parse(text);
  const parsed = contract.safeParse(body);
  if (!parsed.success) return [z.prettifyError(parsed.error)];
  // Contracts of answers strip what they do not declare, so a difference is an undeclared field.
  if (isDeepStrictEqual(parsed.data, body)) return [];
  return [`it has fields that the contract does not: ${JSON.stringify(parsed.data)}`];
}

function failureProblems(row: Operation | undefined, { status, text }: Answer): string[] {
  const parsed = envelope.safeParse(JSON.parse(text));
  if (!parsed.success) return [z.prettifyError(parsed.error)];
  const { code, details } = parsed.data.error;
  if (!isErrorCode(code)) return [`${code} is not in the catalogue`];
  const problems: string[] = [];
  if (details !== undefined && !withDetails.has(code)) problems.push(`${code} has details`);
  if (row === undefined) {
    const known = catalogue[code].status === status || (code === 'bad_request' && status === 405);
    if (!known) problems.push(`${code} is not a ${status}`);
    return problems;
  }
  const declared = documented(row).responses[status]?.['x-error-codes'] ?? [];
  if (!declared.includes(code)) problems.push(`${code} (${status}) is not declared`);
  return problems;
}

/**
 * Checks an answer against the contract of its operation: the declared statuses, no field more or
 * less than declared, the error envelope, the declared codes. Throws where they differ. Paths
 * outside of /v1 have no contract.
 */
export function checkContract(method: string, target: string, answer: Answer): void {
  if (!target.startsWith('/v1/') || ['HEAD', 'OPTIONS'].includes(method)) return;
  const row = operationOf(method, target);
  if (row === undefined && answer.status < 400) return;
  const problems = [
    ...(answer.status < 400 && row !== undefined
      ? successProblems(row, answer)
      : failureProblems(row, answer)),
    ...(row === undefined ? [] : headerProblems(row, answer)),
  ];
  if (problems.length === 0) return;
  throw new Error(
    `${method} ${target} answered ${answer.status} against its contract (${row?.operationId ?? 'no operation'}): ${problems.join('; ')}\n${answer.text.slice(0, 2_000)}`,
  );
}
