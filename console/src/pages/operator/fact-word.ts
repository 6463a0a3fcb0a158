import { textFor, texts } from '../../texts/texts.ts';

/** The word for a fact of a proposed change: `timeZone` without one of its own is `Time zone`. */
export function factWord(name: string): string {
  const word = textFor(texts.operator.changes.facts, name);
  if (word !== undefined) return word;
  const spaced = name
    .replaceAll(/(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
