import { texts } from '../../texts/texts.ts';

const words = texts.policy;

interface ChipsProps {
  /** What the values are of, for who cannot see the sentence around them. */
  readonly label: string;
  readonly values: readonly string[];
  readonly options: readonly { readonly value: string; readonly text: string }[];
  onChange(values: readonly string[]): void;
}

/** Several of many words: those that are chosen, each with a way to take it back, and a list of the others. */
export function Chips({ label, values, options, onChange }: ChipsProps) {
  const textOf = new Map(options.map(({ value, text }) => [value, text]));
  const others = options.filter(({ value }) => !values.includes(value));
  return (
    <span className="chips">
      {values.map((value) => (
        <span key={value} className="chip">
          {textOf.get(value) ?? value}
          <button
            type="button"
            aria-label={words.takeOut({ name: textOf.get(value) ?? value })}
            onClick={() => onChange(values.filter((one) => one !== value))}
          >
            <span aria-hidden>{'×'}</span>
          </button>
        </span>
      ))}
      {others.length > 0 && (
        <select
          className="input"
          aria-label={words.addTo({ list: label })}
          value=""
          onChange={({ target }) => onChange([...values, target.value])}
        >
          <option value="">{words.choose}</option>
          {others.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </span>
  );
}

interface ChecksProps<Word extends string> {
  readonly label: string;
  readonly values: readonly Word[];
  readonly options: readonly { readonly value: Word; readonly text: string }[];
  onChange(values: readonly Word[]): void;
}

/** Several of few words, each with a box to tick. */
export function Checks<Word extends string>(props: ChecksProps<Word>) {
  const { label, values, options, onChange } = props;
  const change = (value: Word, isOn: boolean) =>
    onChange(
      options.flatMap((option) =>
        (option.value === value ? isOn : values.includes(option.value)) ? [option.value] : [],
      ),
    );
  return (
    <fieldset className="checks">
      <legend className="hidden">{label}</legend>
      {options.map(({ value, text }) => (
        <label key={value} className="check">
          <input
            type="checkbox"
            checked={values.includes(value)}
            onChange={({ target }) => change(value, target.checked)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
