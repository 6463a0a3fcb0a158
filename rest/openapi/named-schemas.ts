import { isDeepStrictEqual } from 'node:util';

/* Generators of clients name a type after its component, and make up names, or fail, for what stands inline. */

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly type?: unknown;
}
interface Body {
  readonly content?: Record<string, { schema?: object }>;
}
interface Operation {
  readonly operationId?: string;
  readonly requestBody?: object;
  readonly responses?: Readonly<Record<string, object>>;
}
interface Components {
  /** A schema may be a boolean too. */
  schemas?: Record<string, object | boolean> | undefined;
  readonly responses?: Readonly<Record<string, object>> | undefined;
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const componentOf = ({ $ref: ref }: Schema = {}): string | undefined =>
  ref?.startsWith('#/components/schemas/') ? ref.slice('#/components/schemas/'.length) : undefined;

/** What an envelope or a page of one component is called; null for every other schema. */
function nameOfEnvelope({ properties = {} }: Schema): string | null {
  const names = Object.keys(properties);
  const [first = ''] = names;
  const one = componentOf(properties[first]);
  if (names.length === 1 && one !== undefined) return `${one}Envelope`;
  const many = componentOf(properties[first]?.items);
  const isList = names.length === 1 || (names.length === 2 && names[1] === 'next_cursor');
  if (many === undefined || !isList) return null;
  return names.length === 1 ? `${many}List` : `${many}Page`;
}

/**
 * Moves every JSON body of answers and requests that stands inline into the components, once for those that are equal,
 * and puts a reference in its place.
 */
export function nameSchemas(operations: readonly Operation[], components: Components): void {
  const schemas = (components.schemas ??= {});
  const place = (body: object, names: readonly (string | null)[]): void => {
    for (const [type, media] of Object.entries((body as Body).content ?? {})) {
      const { schema } = media;
      // A file is no type of its own.
      if (type !== 'application/json' || schema === undefined || '$ref' in schema) continue;
      const name = names.find(
        (one) => one !== null && (!(one in schemas) || isDeepStrictEqual(schemas[one], schema)),
      );
      if (typeof name !== 'string') throw new Error(`no name is free for ${names.join(', ')}`);
      schemas[name] = schema;
      media.schema = { $ref: `#/components/schemas/${name}` };
    }
  };
  for (const [name, response] of Object.entries(components.responses ?? {})) {
    place(response, [`${name}Refusal`]);
  }
  for (const { operationId = '', requestBody, responses = {} } of operations) {
    const own = capital(operationId);
    for (const [status, response] of Object.entries(responses)) {
      const schema = (response as Body).content?.['application/json']?.schema;
      const kind = Number(status) < 400 ? 'Answer' : 'Refusal';
      const envelope = schema === undefined ? null : nameOfEnvelope(schema);
      place(response, [envelope, `${own}${kind}`, `${own}${status}${kind}`]);
    }
    if (requestBody !== undefined) place(requestBody, [`${own}Request`]);
  }
}
