import type { NamePart } from '../names/parse.ts';
import type { Reason } from '../subject.ts';
import type { Pair } from './align.ts';
import type { NameScore } from './name-score.ts';

const wordsOf = (parts: readonly NamePart[]): string => parts.map(({ text }) => text).join(' ');

const because = {
  equal: 'is the same',
  spelling: 'is nearly the same',
  sound: 'sounds the same',
  variant: 'is another form of the same name',
  meaning: 'means the same',
  initial: 'is an initial of the other',
  joined: 'is the same, written apart',
} as const;

function pairText({ left, right, reason }: Pair): string {
  const [one, other] = [wordsOf(left), wordsOf(right)];
  return one === other
    ? `"${one}" ${because.equal}.`
    : `"${one}" and "${other}": ${because[reason]}.`;
}

const lacking = (parts: readonly NamePart[], where: string): Reason[] =>
  parts.length === 0
    ? []
    : [{ of: 'name', verdict: 'differs', text: `Only ${where} has "${wordsOf(parts)}".` }];

/** Says of each word of two names what it agrees with, or that only one side has it. */
export function nameReasons({ alignment, asOneWord }: NameScore): Reason[] {
  if (asOneWord) {
    return [
      { of: 'name', verdict: 'agrees', text: 'The names agree when they are written in one word.' },
    ];
  }
  return [
    ...alignment.pairs.map((pair): Reason => ({
      of: 'name',
      verdict: 'agrees',
      text: pairText(pair),
    })),
    ...lacking(alignment.restLeft, 'the payee'),
    ...lacking(alignment.restRight, 'the list'),
  ];
}
