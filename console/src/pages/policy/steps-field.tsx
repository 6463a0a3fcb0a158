import { Button } from '../../parts/button.tsx';
import { texts } from '../../texts/texts.ts';
import { Typed } from './condition-fields.tsx';
import { newStep, type EditedStep } from './edited.ts';
import { Checks, Chips } from './many.tsx';
import { groupNamesOf, type NamedGroup } from './policy.ts';

const words = texts.policy;

interface StepsProps {
  readonly steps: readonly EditedStep[];
  /** The roles that decide among them. */
  readonly groups: readonly NamedGroup[];
  onChange(steps: readonly EditedStep[]): void;
}

/** The steps of a rule, in order. */
export function StepsField({ steps, groups, onChange }: StepsProps) {
  const set = (at: number, changed: Partial<EditedStep>) =>
    onChange(steps.map((step, index) => (index === at ? { ...step, ...changed } : step)));
  return (
    <div className="stack">
      {steps.map((step, index) => (
        // The order of the steps is all that tells two of them apart.
        <fieldset key={index} className="condition">
          <legend>{words.step.title({ number: index + 1 })}</legend>
          <StepFields step={step} groups={groups} onChange={(changed) => set(index, changed)} />
          {steps.length > 1 && (
            <div>
              <Button
                kind="plain"
                onClick={() => onChange(steps.filter((_, other) => other !== index))}
              >
                {words.step.remove({ number: index + 1 })}
              </Button>
            </div>
          )}
        </fieldset>
      ))}
      <div>
        <Button onClick={() => onChange([...steps, newStep()])}>{words.step.add}</Button>
      </div>
    </div>
  );
}

interface StepProps {
  readonly step: EditedStep;
  readonly groups: readonly NamedGroup[];
  onChange(changed: Partial<EditedStep>): void;
}

function StepFields({ step, groups, onChange }: StepProps) {
  const nameOf = groupNamesOf(groups);
  const options = groups.map(({ id }) => ({ value: id, text: nameOf(id) }));
  const distinct = words.says.distinct;
  const excluded = Object.keys(distinct) as (keyof typeof distinct)[];
  return (
    <>
      <div className="sentence">
        <Typed
          className="short"
          label={words.step.approvals}
          value={step.approvals}
          onChange={(approvals) => onChange({ approvals })}
        />
        {words.step.of}
        <Chips
          label={words.step.groups}
          values={step.groups}
          options={options}
          onChange={(chosen) => onChange({ groups: chosen })}
        />
      </div>
      <div className="sentence">
        {words.step.notBy}
        <Checks
          label={words.step.notBy}
          values={step.distinctFrom}
          options={excluded.map((value) => ({ value, text: distinct[value] }))}
          onChange={(distinctFrom) => onChange({ distinctFrom })}
        />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={step.stepUp}
          onChange={({ target }) => onChange({ stepUp: target.checked })}
        />
        <span>{words.step.stepUp}</span>
      </label>
      <div className="sentence">
        {words.step.escalates}
        <select
          className="input"
          aria-label={words.step.escalateTo}
          value={step.escalateTo}
          onChange={({ target }) => onChange({ escalateTo: target.value })}
        >
          <option value="">{words.step.nobody}</option>
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        {step.escalateTo !== '' && (
          <>
            {words.step.after}
            <Typed
              className="short"
              label={words.step.hours}
              value={step.escalateAfterHours}
              onChange={(escalateAfterHours) => onChange({ escalateAfterHours })}
            />
            {words.step.hoursWord}
          </>
        )}
      </div>
      <div className="sentence">
        {words.step.expires} {words.step.after}
        <Typed
          className="short"
          label={words.step.expiresHours}
          placeholder={words.step.never}
          value={step.expiresAfterHours}
          onChange={(expiresAfterHours) => onChange({ expiresAfterHours })}
        />
        {words.step.hoursWord}
      </div>
    </>
  );
}
