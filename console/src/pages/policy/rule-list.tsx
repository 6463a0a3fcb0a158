import { texts } from '../../texts/texts.ts';
import { differenceOf, ruleText } from './in-words.ts';
import type { GroupNames, Rule } from './policy.ts';

const words = texts.policy;

interface RuleListProps {
  readonly rules: readonly Rule[];
  readonly nameOf: GroupNames;
}

/** Rules as sentences, with their numbers. */
export function RuleList({ rules, nameOf }: RuleListProps) {
  return (
    <ol className="rules">
      {rules.map((rule, index) => (
        <li key={`${index} ${rule.name}`}>
          <strong>{rule.name}</strong>
          <p>{ruleText(rule, nameOf)}</p>
        </li>
      ))}
    </ol>
  );
}

interface DifferenceProps {
  /** Null where there is no policy. */
  readonly before: readonly Rule[] | null;
  readonly after: readonly Rule[] | null;
  readonly nameOf: GroupNames;
}

/** What changes between two versions, rule by rule, in sentences. */
export function RulesDifference({ before, after, nameOf }: DifferenceProps) {
  const differences = differenceOf(before ?? [], after ?? [], nameOf);
  return (
    <div className="stack">
      {after === null && <p>{words.ends}</p>}
      {differences.length === 0 && after !== null && <p>{words.sameRules}</p>}
      <ul className="differences">
        {differences.map(({ name, before: was, after: becomes }, index) => (
          <li key={`${index} ${name}`}>
            <strong>{name}</strong>{' '}
            <span className="muted">
              {was === null ? words.added : becomes === null ? words.removed : words.changed}
            </span>
            {was !== null && (
              <p>
                <span className="hidden">{words.before}</span> <del>{was}</del>
              </p>
            )}
            {becomes !== null && (
              <p>
                <span className="hidden">{words.after}</span> <ins>{becomes}</ins>
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
