import { readFileSync } from 'node:fs';
import type { ErrorCode } from '../../src/errors/catalogue.ts';

/** One example, as OpenAPI names it. */
interface Example {
  readonly summary: string;
  readonly value: unknown;
}

type NamedExamples = Readonly<Record<string, Example>>;

/** What was sent to an operation and what it answered. */
export interface RecordedOperation {
  /** Values of the parameters, by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Bodies by their media type. */
  readonly requests: Readonly<Record<string, NamedExamples>>;
  /** Bodies of answers by status. */
  readonly answers: Readonly<Record<string, NamedExamples>>;
}

/** The recorded examples, by operationId and by type of event. */
export interface RecordedExamples {
  readonly operations: Readonly<Record<string, RecordedOperation>>;
  readonly events: Readonly<Record<string, unknown>>;
}

/** The part of a media type object that examples are in; nothing where there are none. */
export interface Examples {
  readonly examples?: Record<string, Example>;
}

/** Made by requests to a running service (test/rest/openapi/examples.test.ts). */
const recorded = JSON.parse(
  readFileSync(new URL('examples.json', import.meta.url), 'utf8'),
) as RecordedExamples; // the test writes it

function asExamples(examples: NamedExamples | undefined): Examples {
  if (examples === undefined || Object.keys(examples).length === 0) return {};
  return { examples: { ...examples } };
}

/** The bodies that were sent to an operation. */
export function requestExamples(operationId: string, mediaType: string): Examples {
  return asExamples(recorded.operations[operationId]?.requests[mediaType]);
}

/** The bodies that an operation answered with a status. */
export function answerExamples(operationId: string, status: number): Examples {
  return asExamples(recorded.operations[operationId]?.answers[status]);
}

/**
 * One refusal for each code, as an operation gave it; for null, as any operation gave it with this
 * status.
 */
export function errorExamples(
  operationId: string | null,
  status: number,
  codes: readonly ErrorCode[],
): Examples {
  const operations =
    operationId === null ? Object.values(recorded.operations) : [recorded.operations[operationId]];
  const found = codes.flatMap((code) => {
    const examples = operations.map((operation) => operation?.answers[status]?.[code]);
    const example = examples.find((candidate) => candidate !== undefined);
    return example === undefined ? [] : [[code, example] as const];
  });
  return asExamples(Object.fromEntries(found));
}

/** The value that a parameter of an operation had; undefined where none was sent. */
export function parameterExample(operationId: string, name: string): unknown {
  return recorded.operations[operationId]?.parameters[name];
}

/** What was delivered for a type of event; undefined where nothing was. */
export function eventExample(type: string): unknown {
  return recorded.events[type];
}
