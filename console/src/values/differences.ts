import { amountText } from './money.ts';

/** A fact that a change touches, as texts; null where it has no value. */
export interface Difference {
  /** Where it is: `['transport', 'host']`; an element of a list has its number, from 1. */
  readonly path: readonly string[];
  readonly before: string | null;
  readonly after: string | null;
}

type Facts = Readonly<Record<string, unknown>>;

const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isListOfFacts = (value: unknown): value is readonly Facts[] =>
  Array.isArray(value) && value.length > 0 && value.every(isFacts);

/**
 * Says what differs between two states of something, a line for each fact, in the order of the later state.
 * An element of a list of things is one line, since its facts mean something together only.
 * @param before null for what is made
 * @param wordOf the word for the name of a fact
 */
export function differencesOf(
  before: unknown,
  after: unknown,
  wordOf: (name: string) => string,
): Difference[] {
  const was = linesOf(before, wordOf);
  const becomes = linesOf(after, wordOf);
  const places = new Map([...becomes, ...was].map(({ path }) => [path.join('.'), path]));
  const textAt = (lines: readonly Line[], place: string): string | null =>
    lines.find(({ path }) => path.join('.') === place)?.text ?? null;
  return [...places].flatMap(([place, path]) => {
    const difference = { path, before: textAt(was, place), after: textAt(becomes, place) };
    return difference.before === difference.after ? [] : [difference];
  });
}

interface Line {
  readonly path: readonly string[];
  readonly text: string;
}

function linesOf(
  value: unknown,
  wordOf: (name: string) => string,
  path: readonly string[] = [],
): Line[] {
  if (isListOfFacts(value)) {
    return value.map((element, index) => ({
      path: [...path, String(index + 1)],
      text: textOfFacts(element, wordOf),
    }));
  }
  if (isFacts(value)) {
    return Object.entries(value).flatMap(([name, part]) => linesOf(part, wordOf, [...path, name]));
  }
  const text = textOf(value);
  return text === null ? [] : [{ path, text }];
}

/** All that a thing in a list says, in one line. */
function textOfFacts(facts: Facts, wordOf: (name: string) => string): string {
  const { currency } = facts;
  return Object.entries(facts)
    .flatMap(([name, value]) => {
      if (isFacts(value)) return [`${wordOf(name)}: ${textOfFacts(value, wordOf)}`];
      const text =
        name.endsWith('Minor') && typeof value === 'string' && typeof currency === 'string'
          ? amountText(value, currency)
          : textOf(value);
      return text === null ? [] : [`${wordOf(name)}: ${text}`];
    })
    .join('; ');
}

/** Null where there is no value. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(String).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
