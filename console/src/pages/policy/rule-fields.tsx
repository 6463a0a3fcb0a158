import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { texts } from '../../texts/texts.ts';
import { ConditionFields } from './condition-fields.tsx';
import { conditionNames, newConditions, newStep, type EditedRule } from './edited.ts';
import type { ConditionName, NamedGroup } from './policy.ts';
import { StepsField } from './steps-field.tsx';

const words = texts.policy;

interface RuleFieldsProps {
  readonly rule: EditedRule;
  /** Its number, from 1. */
  readonly number: number;
  readonly last: boolean;
  readonly groups: readonly NamedGroup[];
  readonly purposes: readonly string[];
  onChange(rule: EditedRule): void;
  onRemove(): void;
  /** Moves it by one place up or down. */
  onMove(by: -1 | 1): void;
}

/** One rule of the draft, as a sentence with fields in it. */
export function RuleFields(props: RuleFieldsProps) {
  const { rule, number, last, groups, onChange, onRemove, onMove } = props;
  const title = words.ruleTitle({ number });
  return (
    <Card
      title={title}
      aside={
        <div className="row">
          {number > 1 && (
            <Button kind="plain" aria-label={words.upOf({ number })} onClick={() => onMove(-1)}>
              {words.up}
            </Button>
          )}
          {!last && (
            <Button kind="plain" aria-label={words.downOf({ number })} onClick={() => onMove(1)}>
              {words.down}
            </Button>
          )}
          <Button kind="plain" aria-label={words.removeRule({ number })} onClick={onRemove}>
            {words.remove}
          </Button>
        </div>
      }
    >
      <div className="stack">
        <Field label={words.name}>
          {(field) => (
            <input
              {...field}
              className="input"
              maxLength={120}
              value={rule.name}
              onChange={({ target }) => onChange({ ...rule, name: target.value })}
            />
          )}
        </Field>
        <ConditionsFields {...props} />
        <Choice
          label={words.effect}
          options={words.effects}
          value={rule.effect}
          onChange={(effect = 'require') =>
            onChange({
              ...rule,
              effect,
              steps: rule.steps.length === 0 ? [newStep()] : rule.steps,
            })
          }
        />
        {rule.effect === 'block' && (
          <Field label={words.reason} hint={words.reasonHint}>
            {(field) => (
              <input
                {...field}
                className="input"
                maxLength={500}
                value={rule.reason}
                onChange={({ target }) => onChange({ ...rule, reason: target.value })}
              />
            )}
          </Field>
        )}
        {rule.effect === 'require' && (
          <StepsField
            steps={rule.steps}
            groups={groups}
            onChange={(steps) => onChange({ ...rule, steps })}
          />
        )}
      </div>
    </Card>
  );
}

/** When the rule holds: each condition with its fields, and a way to add another one. */
function ConditionsFields({ rule, number, purposes, onChange }: RuleFieldsProps) {
  const { when } = rule;
  const used = conditionNames.filter((name) => when[name] !== undefined);
  const others = conditionNames.filter((name) => when[name] === undefined);
  const without = (name: ConditionName) => {
    const { [name]: _gone, ...rest } = when;
    onChange({ ...rule, when: rest });
  };
  return (
    <div>
      <p className="muted">{used.length === 0 ? words.always : words.allOf}</p>
      {used.map((name) => {
        const value = when[name];
        if (value === undefined) return null;
        return (
          <div key={name} className="condition">
            <div className="row">
              <strong>{words.conditions[name]}</strong>
              <Button
                kind="plain"
                aria-label={words.removeOf({ name: words.conditions[name] })}
                onClick={() => without(name)}
              >
                {words.remove}
              </Button>
            </div>
            <ConditionFields
              name={name}
              value={value}
              purposes={purposes}
              onChange={(changed) => onChange({ ...rule, when: { ...when, [name]: changed } })}
            />
          </div>
        );
      })}
      {others.length > 0 && (
        <select
          className="input"
          aria-label={words.addCondition({ number })}
          value=""
          onChange={({ target }) => {
            const name = others.find((one) => one === target.value);
            if (name !== undefined)
              onChange({ ...rule, when: { ...when, [name]: newConditions[name] } });
          }}
        >
          <option value="">{words.condition}</option>
          {others.map((name) => (
            <option key={name} value={name}>
              {words.conditions[name]}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
