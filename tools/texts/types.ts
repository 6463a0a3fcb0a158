import type { TextBranch } from '../../src/values/say.ts';

const form = /_(?:zero|one|two|few|many|other)$/;

const keyOf = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name));

/** The names in braces of a text. */
const placesOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([place]) => place.slice(1, -1));

/** The type of a text, or of its forms by number: what it is called with, where it has places for values. */
function typeOf(texts: readonly string[], counted: boolean): string {
  const places = texts.flatMap(placesOf);
  const names = [...new Set(counted ? ['count', ...places] : places)];
  const members = names.map(
    (name) => `readonly ${name}: ${counted && name === 'count' ? 'number' : 'string | number'}`,
  );
  return names.length === 0 ? 'string' : `(values: { ${members.join('; ')} }) => string`;
}

/** The members of a branch: the forms of a text by number, `selected_one` and `selected_other`, are one member. */
function membersOf(branch: TextBranch, indent: string): string[] {
  const forms = Map.groupBy(Object.entries(branch), ([key]) => {
    const name = key.replace(form, '');
    return `${name}_other` in branch ? name : key;
  });
  return [...forms].map(([name, found]) => {
    const texts = found.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
    const inner = found.flatMap(([, value]) => (typeof value === 'string' ? [] : [value]))[0];
    const type = inner === undefined ? typeOf(texts, !(name in branch)) : bodyOf(inner, indent);
    return `${indent}readonly ${keyOf(name)}: ${type};`;
  });
}

const bodyOf = (branch: TextBranch, indent: string): string =>
  `{\n${membersOf(branch, `${indent}  `).join('\n')}\n${indent}}`;

/**
 * The type of a file of texts as its users have it, made from the texts in the language they are first written in. A
 * text that is missing, or that is called with other values than it has places for, does not compile.
 * @param known what is put in from the start, and no longer asked for
 */
export function typesOfTexts(
  texts: TextBranch,
  name = 'Texts',
  known: readonly string[] = [],
): string {
  const asked = known.reduce(
    (text, place) => text.replaceAll(`{${place}}`, ''),
    JSON.stringify(texts),
  );
  return `export type ${name} = ${bodyOf(JSON.parse(asked) as TextBranch, '')};\n`;
}
