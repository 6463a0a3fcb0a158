import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/*
 * What a provider's OpenAPI document says of its requests, answers and webhooks, as checks. Nothing here knows a
 * provider.
 */

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Json;
}

/** An example of the document, by its name there. */
export interface Example {
  readonly name: string;
  readonly value: unknown;
}

export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly requests: readonly Example[];
  /** The statuses it may answer. */
  readonly statuses: readonly number[];
  /** The examples of its answers, by status. */
  readonly answers: Readonly<Record<number, readonly Example[]>>;
  /** What is wrong with a request; empty for nothing. Unknown fields, parameters and formats are wrong. */
  faultsOfRequest(request: DescribedRequest): string[];
  /** The smallest answer that its schema permits. */
  sampleAnswer(status: number): unknown;
  /** What is wrong with an answer; empty for nothing. */
  faultsOfAnswer(status: number, body: unknown): string[];
}

export interface DescribedRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for none. */
  readonly body: unknown;
}

export interface DescribedWebhook {
  readonly name: string;
  readonly examples: readonly Example[];
  faultsOf(body: unknown): string[];
}

export interface Description {
  readonly operations: readonly DescribedOperation[];
  readonly webhooks: readonly DescribedWebhook[];
  /** The operation of a request, and the parameters of its path. */
  find(
    method: string,
    path: string,
  ): { operation: DescribedOperation; parameters: Record<string, string> } | null;
  /** The schema of a component, references followed. */
  schema(name: string): Json;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object that lists its fields takes no others, though the document forgets to say so. */
function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (!isObject(value)) return value;
  const closed = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, close(one)]));
  const isOpen = closed['type'] === 'object' && isObject(closed['properties']);
  const joined = ['allOf', 'oneOf', 'anyOf', 'additionalProperties'].some((key) => key in closed);
  return isOpen && !joined ? { ...closed, additionalProperties: false } : closed;
}

/** Headers of HTTP itself and of traces, which no description lists. */
const usualHeaders = new Set(
  `accept accept-encoding accept-language connection content-length content-type host sec-fetch-mode traceparent
  tracestate transfer-encoding user-agent`.split(/\s+/),
);

export function readDescription(file: string): Description {
  const document = close(JSON.parse(readFileSync(file, 'utf8'))) as Json;
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats });
  ajv.addSchema(document, 'document');

  const pointed = (reference: string): unknown =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (at, part) => (at as Json)[decodeURIComponent(part).replaceAll('~1', '/')],
        document,
      );
  const follow = (value: unknown): Json => {
    const reference = (value as Json | undefined)?.['$ref'];
    return typeof reference === 'string' ? follow(pointed(reference)) : ((value ?? {}) as Json);
  };
  const schemaOf = (media: unknown): Json | null => {
    const content = (follow(media)['content'] ?? {}) as Json;
    return (follow(content['application/json'])['schema'] as Json | undefined) ?? null;
  };
  const examplesOf = (media: unknown): Example[] => {
    const content = (follow(media)['content'] ?? {}) as Json;
    const all = (follow(content['application/json'])['examples'] ?? {}) as Json;
    return Object.entries(all).map(([name, one]) => ({ name, value: follow(one)['value'] }));
  };
  const compile = (schema: Json): ValidateFunction =>
    // A reference is to the document, wherever the schema stands.
    ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as Json,
    );
  const sample = (given: unknown): unknown => {
    const schema = follow(given);
    const [first] = (schema['enum'] ?? schema['oneOf'] ?? []) as unknown[];
    if (first !== undefined) return 'enum' in schema ? first : sample(first);
    const fields = (schema['properties'] ?? {}) as Json;
    switch (schema['type']) {
      case 'object': {
        const needed = (schema['required'] ?? []) as string[];
        return Object.fromEntries(needed.map((name) => [name, sample(fields[name])]));
      }
      case 'array':
        return [];
      case 'boolean':
        return false;
      case 'integer':
      case 'number':
        return schema['minimum'] ?? 0;
      default:
        return schema['format'] === 'date-time'
          ? '2026-01-01T00:00:00Z'
          : 'x'.repeat(Number(schema['minLength'] ?? 1));
    }
  };
  const faults = (check: ValidateFunction | null, value: unknown): string[] =>
    check === null || check(value)
      ? []
      : (check.errors ?? []).map(({ instancePath, message, params }) =>
          [instancePath, message, JSON.stringify(params)].join(' '),
        );

  function parameterCheck(parameter: Parameter): (text: string | null | undefined) => string[] {
    const check = compile(parameter.schema);
    const isNumber = ['integer', 'number'].includes(String(parameter.schema['type']));
    return (text) => {
      if (text === null || text === undefined) {
        return parameter.required === true ? [`${parameter.name} is missing`] : [];
      }
      return faults(check, isNumber ? Number(text) : text).map((why) => `${parameter.name}${why}`);
    };
  }

  function operationOf(path: string, method: string, given: Json): DescribedOperation {
    const parameters = ((given['parameters'] ?? []) as unknown[]).map(
      (one) => follow(one) as unknown as Parameter,
    );
    const checks = parameters.map((parameter) => ({ parameter, check: parameterCheck(parameter) }));
    const bodySchema = schemaOf(given['requestBody']);
    const bodyCheck = bodySchema && compile(bodySchema);
    const responses = (given['responses'] ?? {}) as Json;
    const answerChecks = new Map(
      Object.entries(responses).map(([status, media]) => {
        const schema = schemaOf(media);
        return [Number(status), schema && compile(schema)];
      }),
    );
    const namesIn = (place: Parameter['in']) =>
      new Set(parameters.filter((one) => one.in === place).map(({ name }) => name));
    const queries = namesIn('query');
    const headers = new Set([...namesIn('header')].map((name) => name.toLowerCase()));
    return {
      id: String(given['operationId']),
      method: method.toUpperCase(),
      path,
      requests: examplesOf(given['requestBody']),
      statuses: [...answerChecks.keys()],
      answers: Object.fromEntries(
        Object.entries(responses).map(([status, media]) => [status, examplesOf(media)]),
      ),
      faultsOfRequest(request) {
        const told = checks.flatMap(({ parameter, check }) => {
          if (parameter.in === 'path') return check(request.path[parameter.name]);
          if (parameter.in === 'query') return check(request.query.get(parameter.name));
          return check(request.headers[parameter.name.toLowerCase()]);
        });
        const unknown = [
          ...[...request.query.keys()].filter((name) => !queries.has(name)),
          ...Object.keys(request.headers).filter(
            (name) => !usualHeaders.has(name) && !keyHeaders.has(name) && !headers.has(name),
          ),
        ];
        const body =
          bodyCheck === null && request.body !== undefined
            ? ['there must be no body']
            : faults(bodyCheck, request.body);
        return [...told, ...unknown.map((name) => `${name} is no parameter`), ...body];
      },
      sampleAnswer: (status) => sample(schemaOf(responses[status]) ?? {}),
      faultsOfAnswer(status, body) {
        const check = answerChecks.get(status);
        return check === undefined ? [`${status} is no answer of it`] : faults(check, body);
      },
    };
  }

  const schemes = ((document['components'] as Json)['securitySchemes'] ?? {}) as Json;
  const keyHeaders = new Set(
    Object.values(schemes)
      .map((one) => one as Json)
      .filter((one) => one['type'] === 'apiKey' && one['in'] === 'header')
      .map((one) => String(one['name']).toLowerCase()),
  );
  const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);
  const each = <T>(
    name: string,
    make: (path: string, method: string, given: Json) => T,
  ): readonly T[] =>
    Object.entries((document[name] ?? {}) as Json).flatMap(([path, item]) =>
      Object.entries(item as Json)
        .filter(([method]) => methods.has(method))
        .map(([method, given]) => make(path, method, given as Json)),
    );

  const operations = each('paths', operationOf);
  return {
    operations,
    webhooks: each('webhooks', (name, _method, given) => {
      const schema = schemaOf(given['requestBody']);
      const check = schema && compile(schema);
      return {
        name,
        examples: examplesOf(given['requestBody']),
        faultsOf: (body: unknown) => faults(check, body),
      };
    }),
    find(method, path) {
      const parts = path.split('/');
      for (const operation of operations) {
        const wanted = operation.path.split('/');
        if (operation.method !== method || wanted.length !== parts.length) continue;
        const named = wanted.map((part, index) => [part, parts[index] ?? ''] as const);
        if (named.some(([part, given]) => !part.startsWith('{') && part !== given)) continue;
        const parameters = named
          .filter(([part]) => part.startsWith('{'))
          .map(([part, given]) => [part.slice(1, -1), decodeURIComponent(given)] as const);
        return { operation, parameters: Object.fromEntries(parameters) };
      }
      return null;
    },
    schema: (name) => follow({ $ref: `#/components/schemas/${name}` }),
  };
}
