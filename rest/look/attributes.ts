import { html, type Html } from '../../src/values/html.ts';

/**
 * The attributes of an element. True stands for an attribute without a value; what is null,
 * undefined, false or empty is left out. Names are written in the code, never taken from a caller.
 */
export function attributes(
  all: Readonly<Record<string, string | number | boolean | null | undefined>>,
): Html {
  const written = Object.entries(all).flatMap(([name, value]) => {
    if (value === true) return [html`${name}`];
    if (value === false || value === null || value === undefined || value === '') return [];
    return [html`${name}="${value}"`];
  });
  return html`${written.map((attribute, index) => (index === 0 ? attribute : html` ${attribute}`))}`;
}
