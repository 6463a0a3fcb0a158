import { Facts } from '../../parts/facts.tsx';
import { texts } from '../../texts/texts.ts';
import { differencesOf, type Difference } from '../../values/differences.ts';
import { factWord } from './fact-word.ts';

const words = texts.operator.changes;

interface Props {
  /** {before, after}, without secrets. */
  readonly shown: unknown;
}

/** What a proposed change touches: a line for each fact that differs, as it is and as it becomes. */
export function ChangeFacts({ shown }: Props) {
  const { before, after } = shown as { readonly before: unknown; readonly after: unknown };
  const differences = differencesOf(before, after, factWord);
  if (differences.length === 0) return <p>{words.nothingDiffers}</p>;
  const isMade = before === null;
  return (
    <Facts
      facts={differences.map((difference) => [
        nameOf(difference),
        isMade ? (
          difference.after
        ) : (
          <>
            {words.from({ before: difference.before ?? words.nothing })}
            <strong>{difference.after ?? words.nothing}</strong>
          </>
        ),
      ])}
    />
  );
}

/** `Way of the files · Server`; `Route 1` for an element of a list. */
const nameOf = ({ path }: Difference): string =>
  path
    .map(factWord)
    .join(' · ')
    .replace(/ · (?=\d+$)/, ' ');
