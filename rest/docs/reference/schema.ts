import { html, type Html } from '../../../src/values/html.ts';
import type { Links } from '../markdown.ts';
import { renderText } from '../markdown.ts';
import {
  flat,
  kindsOf,
  resolve,
  type ApiDocument,
  type Parameter,
  type Schema,
} from './document.ts';

/** What schemas are drawn with. */
export interface Drawing {
  readonly document: ApiDocument;
  readonly links: Links;
}

const number = new Intl.NumberFormat('en-US');

/** A range in words; bounds that only say "a safe integer" are left out. */
function range(least: number | undefined, most: number | undefined, unit: string): string | null {
  const from = least === undefined || least === Number.MIN_SAFE_INTEGER ? null : least;
  const to = most === undefined || most === Number.MAX_SAFE_INTEGER ? null : most;
  const end = unit === '' ? '' : ` ${unit}${(to ?? from) === 1 ? '' : 's'}`;
  if (from !== null && to !== null) {
    const both = `${number.format(from)} to ${number.format(to)}`;
    return from === to ? `exactly ${number.format(to)}${end}` : `${both}${end}`;
  }
  if (to !== null) return `at most ${number.format(to)}${end}`;
  // One character at least is what "required" says already.
  if (from === null || (unit !== '' && from <= 1)) return null;
  return `at least ${number.format(from)}${end}`;
}

const code = (value: unknown): Html =>
  html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;

/** What a value must be beside its type. */
function limitsOf(schema: Schema): readonly Html[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const ranges = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, 'character'),
    range(minItems, maxItems, 'item'),
  ].flatMap((text) => (text === null ? [] : [html`${text}`]));
  const isOfFormat = schema.format !== undefined;
  // The pattern of a known format says nothing to a reader.
  const matches = pattern === undefined || isOfFormat ? [] : [html`matches ${code(pattern)}`];
  const fallback = schema.default === undefined ? [] : [html`${code(schema.default)} by default`];
  return [...ranges, ...matches, ...fallback];
}

function typeOfKind(document: ApiDocument, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'array') {
    const items = schema.items === undefined ? 'anything' : typeText(document, schema.items);
    return `list of ${items}`;
  }
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.join(' or ');
  if (schema.enum !== undefined) return type === undefined ? 'enum' : `${type}, one of`;
  if (type === undefined) return schema.properties === undefined ? 'anything' : 'object';
  return schema.format === undefined ? type : `${type}, ${schema.format}`;
}

/** The type of a value in a few words: `integer`, `string, date-time or null`, `list of object`. */
export function typeText(document: ApiDocument, schema: Schema): string {
  const { kinds, nullable } = kindsOf(document, schema);
  const names = [...new Set(kinds.map((kind) => typeOfKind(document, kind)))];
  return [...names, ...(nullable ? ['null'] : [])].join(' or ');
}

function valuesOf(kinds: readonly Schema[]): Html | null {
  const values = kinds.flatMap((kind) => kind.enum ?? []).filter((value) => value !== null);
  if (values.length === 0) return null;
  const list = values.map((value) => html`<li>${code(value)}</li>`);
  if (values.length <= 12)
    return html`<ul class="values">
      ${list}
    </ul>`;
  return html`<details>
    <summary>${values.length} values</summary>
    <ul class="values">
      ${list}
    </ul>
  </details>`;
}

function about({ links }: Drawing, schema: Schema): Html | null {
  const { description } = schema;
  return description === undefined ? null : renderText(description, links);
}

function limits(kinds: readonly Schema[], schema: Schema): Html | null {
  const all = kinds.flatMap((kind) =>
    limitsOf({ ...kind, default: kind.default ?? schema.default }),
  );
  const [example] = schema.examples ?? kinds.flatMap(({ examples = [] }) => examples);
  const isPlain = typeof example === 'string' || typeof example === 'number';
  const parts = isPlain ? [...all, html`for example ${code(example)}`] : all;
  if (parts.length === 0) return null;
  return html`<p class="limits">
    ${parts.map((part, index) => html`${index === 0 ? null : ' · '}${part}`)}
  </p>`;
}

interface Named {
  readonly name: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly schema: Schema;
}

function field(drawing: Drawing, given: Named, trail: readonly string[]): Html {
  const { document } = drawing;
  const schema = flat(document, given.schema);
  const { kinds } = kindsOf(document, schema);
  const inner = contents(drawing, given.schema, trail);
  return html`<li class="field">
    <div class="named">
      <code>${given.name}</code> <span class="type">${typeText(document, schema)}</span>
      ${given.required ? html`<span class="required">required</span>` : null}
      ${given.deprecated ? html`<span class="deprecated">deprecated</span>` : null}
    </div>
    ${about(drawing, schema)} ${valuesOf(kinds.flatMap((kind) => [kind, itemsOf(document, kind)]))}
    ${limits(kinds, schema)}
    ${
      inner === null
        ? null
        : html`<details class="inner">
            <summary>Fields of <code>${given.name}</code></summary>
            ${inner}
          </details>`
    }
  </li>`;
}

const itemsOf = (document: ApiDocument, { items }: Schema): Schema =>
  items === undefined ? {} : flat(document, items);

function object(drawing: Drawing, schema: Schema, trail: readonly string[]): Html | null {
  const { properties = {}, required = [], additionalProperties } = schema;
  const rows = Object.entries(properties).map(([name, property]) =>
    field(
      drawing,
      {
        name,
        required: required.includes(name),
        deprecated: resolve(drawing.document, property).deprecated === true,
        schema: property,
      },
      trail,
    ),
  );
  const isOpen = typeof additionalProperties === 'object';
  const others = isOpen
    ? html`<li class="field">
        <div class="named">
          any name <span class="type">${typeText(drawing.document, additionalProperties)}</span>
        </div>
      </li>`
    : null;
  if (rows.length === 0 && others === null) return null;
  return html`<ul class="fields">
    ${rows}${others}
  </ul>`;
}

/** The fields of an object, of each of several, or of the items of a list; null for a plain value. */
export function contents(
  drawing: Drawing,
  given: Schema,
  trail: readonly string[] = [],
): Html | null {
  const { document } = drawing;
  // A schema that holds itself is drawn once.
  if (given.$ref !== undefined && trail.includes(given.$ref)) return null;
  const further = given.$ref === undefined ? trail : [...trail, given.$ref];
  const { kinds } = kindsOf(document, given);
  const drawn = kinds.flatMap((kind) => {
    const inner =
      kind.items === undefined
        ? object(drawing, kind, further)
        : contents(drawing, kind.items, further);
    return inner === null ? [] : [{ kind, inner }];
  });
  const [first] = drawn;
  if (first === undefined) return null;
  if (drawn.length === 1) return first.inner;
  return html`<p>One of these:</p>
    ${drawn.map(
      ({ kind, inner }, index) =>
        html`<div class="variant">
          <p class="variant-name">${kind.title ?? `Form ${index + 1}`}</p>
          ${about(drawing, kind)} ${inner}
        </div>`,
    )}`;
}

/** Parameters of one place: of the path, the query or the headers. */
export function parameterList(drawing: Drawing, parameters: readonly Parameter[]): Html {
  const rows = parameters.map(({ name, required, deprecated, description, schema = {} }) =>
    field(
      drawing,
      {
        name,
        required: required === true,
        deprecated: deprecated === true,
        schema:
          description === undefined ? schema : { ...flat(drawing.document, schema), description },
      },
      [],
    ),
  );
  return html`<ul class="fields">
    ${rows}
  </ul>`;
}
