import { Field } from './field.tsx';

interface ChoiceProps<Word extends string> {
  readonly label: string;
  /** Its name in the form that it is part of. */
  readonly name?: string;
  /** The words that can be chosen, with what each is called. */
  readonly options: Readonly<Record<Word, string>>;
  /** What no choice is called; without it one of the words is always chosen. */
  readonly any?: string;
  readonly value?: Word | undefined;
  readonly hint?: string;
  onChange?(value: Word | undefined): void;
}

/** A choice of one among few words. */
export function Choice<Word extends string>(props: ChoiceProps<Word>) {
  const { label, name, options, any, value, hint, onChange } = props;
  const words = Object.keys(options) as Word[];
  const chosen = (text: string) => words.find((word) => word === text);
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <select
          {...field}
          className="input"
          name={name}
          {...(onChange === undefined
            ? { defaultValue: value ?? '' }
            : { value: value ?? '', onChange: ({ target }) => onChange(chosen(target.value)) })}
        >
          {any !== undefined && <option value="">{any}</option>}
          {words.map((word) => (
            <option key={word} value={word}>
              {options[word]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
