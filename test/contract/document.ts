import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** What is read of a JSON schema; everything else is the validator's. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Media {
  readonly schema?: JsonSchema;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
  readonly 'x-error-codes'?: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter & { readonly $ref?: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** By media type; empty where the operation takes no body. */
  readonly bodies: Readonly<Record<string, JsonSchema>>;
  /** Whether a JSON body is what the document says of it; null where it takes none. */
  readonly acceptsBody: ValidateFunction | null;
  /** What is wrong with an answer of a status, or an empty list. */
  readonly faultsOf: (answer: DescribedAnswer) => string[];
}

export interface DescribedAnswer {
  readonly status: number;
  /** The media type without its parameters; empty without one. */
  readonly type: string;
  readonly text: string;
}

type Pointed = Readonly<Record<string, unknown>>;

const file = join(import.meta.dirname, '../../docs/openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as Pointed;

/** Follows local references until there is none. */
export function resolve<T extends { readonly $ref?: string }>(given: T): T {
  let at = given;
  while (at.$ref !== undefined) {
    const keys = at.$ref.replace(/^#\//u, '').split('/');
    const found = keys.reduce<unknown>((place, key) => (place as Pointed)[key], document);
    if (found === undefined) throw new Error(`${at.$ref} is not in the document`);
    at = found as T;
  }
  return at;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat(
  'date-time',
  (text) => !Number.isNaN(Date.parse(text)) && /T.*(Z|[+-]\d\d:\d\d)$/u.test(text),
);
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/u);
ajv.addFormat('uri', (text) => URL.canParse(text));
ajv.addFormat('email', /^[^@\s]+@[^@\s]+$/u);
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu);
ajv.addFormat('ipv4', (text) => isIP(text) === 4);
for (const format of ['binary', 'base64', 'byte', 'int32', 'int64']) ajv.addFormat(format, true);
ajv.addSchema(document, 'openapi.json');

/** Compiled in its place of the document, so that references within it are found. */
function compile(...keys: string[]): ValidateFunction {
  const pointer = keys.map((key) =>
    encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  return ajv.compile({ $ref: `openapi.json#/${pointer.join('/')}` });
}

/** Answers that HTTP itself makes, whatever is asked; each has the envelope of an error. */
const statusesOfHttp = new Set([405, 408, 414, 431]);

const isEnvelope = compile('components', 'schemas', 'ErrorEnvelope');

function told({ errors }: ValidateFunction): string {
  return (errors ?? [])
    .map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)
    .join('; ');
}

/** What is wrong with an error's body: its envelope, or a code that the operation does not name. */
export function envelopeFaults(text: string, codes: readonly string[] | undefined): string[] {
  const body: unknown = JSON.parse(text);
  if (!isEnvelope(body)) return [`the envelope: ${told(isEnvelope)}`];
  const { code } = (body as { error: { code: string } }).error;
  return codes === undefined || codes.includes(code) ? [] : [`${code} is not documented`];
}

function judgeOf(path: string, method: string, responses: Readonly<Record<string, Response>>) {
  const compiled = new Map<string, ValidateFunction>();
  return ({ status, type, text }: DescribedAnswer): string[] => {
    if (statusesOfHttp.has(status)) return envelopeFaults(text, undefined);
    const found = responses[status];
    if (found === undefined) return [`status ${status} is not documented`];
    const { content, 'x-error-codes': codes } = resolve(found);
    if (content === undefined) return text === '' ? [] : ['a body is not documented'];
    const media = content[type];
    if (media === undefined) return [`the media type ${type} is not documented`];
    if (type !== 'application/json') return [];
    if (status >= 400 && codes !== undefined) {
      const faults = envelopeFaults(text, codes);
      if (faults.length > 0) return faults;
    }
    const key = String(status);
    // A response that is shared stands elsewhere in the document.
    const place = found.$ref?.replace('#/', '').split('/') ?? [
      'paths',
      path,
      method,
      'responses',
      key,
    ];
    const valid = compiled.get(key) ?? compile(...place, 'content', type, 'schema');
    compiled.set(key, valid);
    return valid(JSON.parse(text)) ? [] : [`the body: ${told(valid)}`];
  };
}

function readOperation(path: string, method: string, found: DocumentedOperation): Operation {
  const { operationId, parameters = [], requestBody, responses } = found;
  const content = Object.entries(requestBody?.content ?? {});
  const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map(resolve),
    bodies: Object.fromEntries(content.map(([type, { schema }]) => [type, schema ?? {}])),
    acceptsBody: content.some(([type]) => type === 'application/json') ? compile(...place) : null,
    faultsOf: judgeOf(path, method, responses),
  };
}

const verbs = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of `docs/openapi.json`. */
export const operations: readonly Operation[] = Object.entries(
  document['paths'] as Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>,
).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => verbs.includes(method))
    .map(([method, found]) => readOperation(path, method, found)),
);
