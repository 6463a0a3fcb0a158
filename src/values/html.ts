/**
 * HTML that may be sent as it is. Only `html` makes it, so a value that reaches a page without
 * being escaped is a type error and not an oversight.
 */
export class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

type Value = string | number | Html | null | undefined | readonly Value[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and for quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function render(value: Value): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(render).join('');
}

/**
 * Template tag: every value is escaped, except what `html` itself has made. Attribute values must
 * stand in double quotes. A URL in `href` is escaped but not judged; check its scheme before.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part, ''));
}
