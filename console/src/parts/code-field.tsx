import { useMemo } from 'react';
import { countryNames, currencyNames } from '../values/places.ts';
import { Field } from './field.tsx';

interface CodeFieldProps {
  readonly of: 'country' | 'currency';
  readonly label: string;
  /** Its name in the form that it is part of. */
  readonly name: string;
  /** What no choice is called. */
  readonly none: string;
  readonly required?: boolean;
  readonly value?: string | undefined;
  onChange?(code: string): void;
}

/** A choice of a country or a currency by its name. */
export function CodeField({
  of,
  label,
  name,
  none,
  required,
  value = '',
  onChange,
}: CodeFieldProps) {
  const codes = useMemo(() => (of === 'country' ? countryNames() : currencyNames()), [of]);
  return (
    <Field label={label}>
      {(field) => (
        <select
          {...field}
          className="input"
          name={name}
          required={required}
          {...(onChange === undefined
            ? { defaultValue: value }
            : { value, onChange: ({ target }) => onChange(target.value) })}
        >
          <option value="">{none}</option>
          {codes.map(({ code, name: text }) => (
            <option key={code} value={code}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
