/** A JSON Schema as the OpenAPI document has it. */
export interface PythonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, PythonSchema>>;
  readonly required?: readonly string[];
  readonly items?: PythonSchema;
  readonly additionalProperties?: boolean | PythonSchema;
  readonly allOf?: readonly PythonSchema[];
  readonly anyOf?: readonly PythonSchema[];
  readonly oneOf?: readonly PythonSchema[];
}

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const pascal = (name: string): string =>
  name.replace(/(?:^|[_.-])(\w)/g, (_match, letter: string) => letter.toUpperCase());

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

/** Words that are no name of a field in a class of Python. */
const reserved = new Set(['class', 'from', 'global', 'import', 'in', 'is', 'not', 'or', 'pass']);

/** Collects the classes that a document's components and their inner objects become. */
export class PythonTypes {
  readonly #classes: string[] = [];
  readonly #aliases: string[] = [];
  readonly #names = new Set<string>();

  /** Every class, then every alias: a name may stand before what it names. */
  get text(): string {
    return [...this.#classes, ...this.#aliases].join('\n\n');
  }

  /** Adds a component by its name. */
  add(name: string, schema: PythonSchema): void {
    if (schema.properties === undefined) {
      const told = schema.description === undefined ? '' : `\n${docstring(schema.description, '')}`;
      this.#aliases.push(`${name}: TypeAlias = ${JSON.stringify(this.of(schema, name))}${told}`);
    } else this.#class(name, schema);
  }

  /** The type of a schema; `place` names what stands inline. */
  of(schema: PythonSchema, place: string): string {
    const { $ref: ref, enum: values, type, items, properties, additionalProperties } = schema;
    if (ref !== undefined) return ref.slice(ref.lastIndexOf('/') + 1);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (values !== undefined) return this.#literals(values);
    const several = schema.anyOf ?? schema.oneOf;
    if (several !== undefined) {
      return union(several.map((one, at) => this.of(one, at === 0 ? place : `${place}${at + 1}`)));
    }
    if (schema.allOf !== undefined) return this.of(schema.allOf[0] ?? {}, place);
    if (Array.isArray(type)) {
      return union(type.map((one: string) => this.of({ ...schema, type: one }, place)));
    }
    if (type === 'array') return `list[${this.of(items ?? {}, place)}]`;
    if (properties !== undefined) return this.#class(place, schema);
    if (type === 'object') {
      const inner = typeof additionalProperties === 'object' ? additionalProperties : {};
      return `dict[str, ${this.of(inner, place)}]`;
    }
    return scalars[String(type)] ?? 'Any';
  }

  #literals(values: readonly unknown[]): string {
    const texts = values.filter((value) => value !== null).map(literal);
    const named = texts.length === 0 ? [] : [`Literal[${texts.join(', ')}]`];
    return union([...named, ...(values.includes(null) ? ['None'] : [])]);
  }

  #class(wanted: string, { properties = {}, required = [], description }: PythonSchema): string {
    let name = wanted;
    while (this.#names.has(name)) name += '_';
    this.#names.add(name);
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = this.of(schema, `${name}${pascal(field)}`);
      return { field, schema, type: required.includes(field) ? type : `NotRequired[${type}]` };
    });
    if (fields.some(({ field }) => reserved.has(field) || !/^[a-z]\w*$/i.test(field))) {
      const entries = fields.map(
        ({ field, type }) => `${JSON.stringify(field)}: ${JSON.stringify(type)}`,
      );
      this.#classes.push(`${name} = TypedDict("${name}", {${entries.join(', ')}})`);
      return name;
    }
    const lines = fields.flatMap(({ field, schema, type }) => [
      `    ${field}: ${type}`,
      ...(schema.description === undefined ? [] : [docstring(schema.description, '    ')]),
    ]);
    const body = lines.length === 0 ? ['    pass'] : lines;
    const told = description === undefined ? [] : [docstring(description, '    '), ''];
    this.#classes.push([`class ${name}(TypedDict):`, ...told, ...body].join('\n'));
    return name;
  }
}

/** A text as Python documents what stands before it. */
export function docstring(text: string, indent: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ');
  return `${indent}"""${safe.replaceAll('\n', `\n${indent}`)}"""`;
}
