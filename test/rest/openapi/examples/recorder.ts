import type { RecordedExamples } from '../../../../rest/openapi/examples.ts';
import type { Harness, RestAnswer } from '../../../support/harness.ts';
import { documented, operationOf, operations } from '../../../support/matrix/rest-operations.ts';
import { createNormaliser } from './normalise.ts';

/** A request whose exchange becomes an example. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

interface Exchanges {
  parameters: Record<string, unknown>;
  requests: Record<string, Record<string, Example>>;
  answers: Record<string, Record<string, Example>>;
}

/** Keeps examples while a test goes through the service. */
export interface Recorder {
  /** Sends a request that must succeed, and keeps it with its answer under a name. */
  success(name: string, summary: string, asked: Asked): Promise<RestAnswer>;
  /** Sends a request that must be refused, and keeps the answer under its error code. */
  refusal(summary: string, asked: Asked): Promise<RestAnswer>;
  /** Keeps what was delivered to a webhook endpoint. */
  event(type: string, envelope: unknown): void;
}

/** What recorders of one or several services have kept. */
interface Recording {
  on(harness: Harness): Recorder;
  /** Everything so far, in the order of the operations. */
  examples(): RecordedExamples;
}

function templateOf({ method, path }: Asked) {
  const row = operationOf(method, path);
  if (row === undefined) throw new Error(`${method} ${path} is no operation`);
  return row;
}

/** The values of the parameters, as the document says their types. */
function parametersOf(asked: Asked): Record<string, unknown> {
  const row = templateOf(asked);
  const [path = '', query = ''] = asked.path.split('?', 2);
  const steps = path.split('/').map(decodeURIComponent);
  const names = row.path.split('/');
  const given = new URLSearchParams(query);
  const values: Record<string, unknown> = {};
  for (const { name, in: where, schema } of documented(row).parameters ?? []) {
    if (where === 'path') values[name] = steps[names.indexOf(`:${name}`)];
    const header = asked.headers?.[name];
    if (where === 'header' && header !== undefined) values[name] = header;
    if (where === 'query' && given.has(name)) {
      values[name] = schema.type === 'array' ? given.getAll(name) : parsed(given.get(name) ?? '');
    }
  }
  return values;
}

function parsed(text: string): unknown {
  return /^(?:true|false|\d+)$/.test(text) ? JSON.parse(text) : text;
}

export function createRecording(): Recording {
  const normalise = createNormaliser();
  const kept = new Map<string, Exchanges>();
  const events: Record<string, unknown> = {};

  function exchangesOf(operationId: string): Exchanges {
    const exchanges = kept.get(operationId) ?? { parameters: {}, requests: {}, answers: {} };
    kept.set(operationId, exchanges);
    return exchanges;
  }

  function keep(asked: Asked, answer: RestAnswer, name: string, summary: string): void {
    const { answers } = exchangesOf(templateOf(asked).operationId);
    const given = answer.body ?? answer.text;
    if (given === '') return;
    const value = normalise(given);
    (answers[answer.status] ??= {})[name] ??= { summary, value };
  }

  const recorder = (harness: Harness): Recorder => ({
    async success(name, summary, asked) {
      const answer = await harness.rest(asked.method, asked.path, asked);
      if (answer.status >= 400) throw new Error(`${asked.method} ${asked.path}: ${answer.text}`);
      const exchanges = exchangesOf(templateOf(asked).operationId);
      const parameters = normalise(parametersOf(asked)) as Record<string, unknown>;
      exchanges.parameters = { ...parameters, ...exchanges.parameters };
      if (asked.body !== undefined) {
        const type = asked.headers?.['content-type'] ?? 'application/json';
        (exchanges.requests[type] ??= {})[name] ??= { summary, value: normalise(asked.body) };
      }
      keep(asked, answer, name, summary);
      return answer;
    },
    async refusal(summary, asked) {
      const answer = await harness.rest(asked.method, asked.path, asked);
      const code: unknown = answer.body?.error?.code;
      if (typeof code !== 'string') throw new Error(`not refused: ${asked.method} ${asked.path}`);
      keep(asked, answer, code, summary);
      return answer;
    },
    event(type, envelope) {
      events[type] = normalise(envelope);
    },
  });

  return {
    on: recorder,
    examples: () => ({
      operations: Object.fromEntries(
        operations.flatMap(({ operationId }) => {
          const exchanges = kept.get(operationId);
          return exchanges === undefined ? [] : [[operationId, exchanges]];
        }),
      ),
      events,
    }),
  };
}
