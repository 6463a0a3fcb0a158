import { Field } from '../../parts/field.tsx';
import { texts } from '../../texts/texts.ts';
import { purposeWords } from '../../values/purpose-words.ts';

const words = texts.newPayout;

interface ValueProps {
  readonly value: string;
  onChange(value: string): void;
}

/** Says why the money is paid. */
export function PurposeField({
  value,
  purposes,
  onChange,
}: ValueProps & { readonly purposes: readonly string[] }) {
  return (
    <Field label={words.purpose}>
      {(field) => (
        <select
          {...field}
          className="input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{words.choose}</option>
          {purposes.map((purpose) => (
            <option key={purpose} value={purpose}>
              {purposeWords(purpose)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** The payer's own reference. */
export function ReferenceField({ value, onChange }: ValueProps) {
  return (
    <Field label={words.reference}>
      {(field) => (
        <input
          {...field}
          className="input"
          maxLength={255}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
