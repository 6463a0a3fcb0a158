/**
 * The parts of an OpenAPI 3.1 document that the reference shows. What a document leaves out is left
 * out of the pages too.
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export interface ApiDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
  };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, ApiResponse>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly headers?: Readonly<Record<string, Header>>;
    readonly examples?: Readonly<Record<string, Example>>;
  };
}

interface Reference {
  readonly $ref?: string;
}

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
export const methods: readonly Method[] = ['post', 'get', 'put', 'patch', 'delete'];

type PathItem = Readonly<Partial<Record<Method, ApiOperation>>>;

export interface ApiOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses?: Readonly<Record<string, ApiResponse>>;
}

export interface Parameter extends Reference {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface RequestBody extends Reference {
  readonly required?: boolean;
  readonly description?: string;
  readonly content?: Content;
}

export interface ApiResponse extends Reference {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
  readonly 'x-error-codes'?: readonly string[];
}

interface Header extends Reference {
  readonly description?: string;
}

export type Content = Readonly<Record<string, MediaType>>;

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Example extends Reference {
  readonly summary?: string;
  readonly description?: string;
  readonly value?: unknown;
}

type Properties = Readonly<Record<string, Schema>>;

export interface Schema extends Reference {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

/** Follows a `$ref` of the document; an object without one is itself. */
export function resolve<T extends Reference>(document: ApiDocument, object: T): T {
  if (object.$ref === undefined) return object;
  const path = object.$ref.replace(/^#\//, '').split('/');
  let found: unknown = document;
  for (const part of path) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = (found as Readonly<Record<string, unknown>> | undefined)?.[name];
  }
  if (found === undefined) throw new Error(`${object.$ref} leads nowhere in the document`);
  // What stands beside the reference goes before what it leads to.
  const { $ref: _followed, ...beside } = object;
  return { ...resolve(document, found as T), ...beside };
}

/** The properties of two schemas that hold at once. */
function bothOf(one: Properties, other: Properties): Properties {
  const merged = Object.entries(other).map(([name, schema]): [string, Schema] => {
    const before = one[name];
    return [name, before === undefined ? schema : { allOf: [before, schema] }];
  });
  return { ...one, ...Object.fromEntries(merged) };
}

/** The parts of an `allOf` as one schema. */
export function flat(document: ApiDocument, given: Schema): Schema {
  const { allOf, ...own } = resolve(document, given);
  if (allOf === undefined) return own;
  return [...allOf.map((part) => flat(document, part)), own].reduce((whole, part): Schema => ({
    ...whole,
    ...part,
    properties: bothOf(whole.properties ?? {}, part.properties ?? {}),
    required: [...(whole.required ?? []), ...(part.required ?? [])],
  }));
}

/** The kinds of which a value may be one, without null; and whether it may be null. */
export function kindsOf(
  document: ApiDocument,
  given: Schema,
): { kinds: readonly Schema[]; nullable: boolean } {
  const schema = flat(document, given);
  const isNull = (kind: Schema) => kind.type === 'null' || kind.const === null;
  const among = schema.oneOf ?? schema.anyOf;
  if (among !== undefined) {
    const all = among.map((kind) => flat(document, kind));
    const kinds = all.filter((kind) => !isNull(kind));
    return { kinds, nullable: kinds.length < all.length };
  }
  if (typeof schema.type === 'string' || schema.type === undefined) {
    return { kinds: [schema], nullable: false };
  }
  const types = schema.type.filter((type) => type !== 'null');
  const nullable = types.length < schema.type.length;
  const [only] = types;
  const type = types.length === 1 && only !== undefined ? only : types;
  return { kinds: [{ ...schema, type }], nullable };
}
