import { useMemo, type ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';
import { countryNames } from '../../values/places.ts';
import { purposeWords } from '../../values/purpose-words.ts';
import { BandsField } from './bands-field.tsx';
import type { EditedConditions } from './edited.ts';
import { Checks, Chips } from './many.tsx';
import type { ConditionName } from './policy.ts';

const words = texts.policy;

interface FieldsProps<Name extends ConditionName> {
  readonly value: NonNullable<EditedConditions[Name]>;
  onChange(value: NonNullable<EditedConditions[Name]>): void;
  readonly purposes: readonly string[];
}

const optionsOf = <Word extends string>(table: Readonly<Record<Word, string>>) =>
  (Object.keys(table) as Word[]).map((value) => ({ value, text: table[value] }));

interface TypedProps {
  readonly label: string;
  readonly value: string;
  readonly className?: string;
  readonly placeholder?: string;
  onChange(value: string): void;
}

/** A field inside a sentence. */
export function Typed({ label, value, className = '', placeholder, onChange }: TypedProps) {
  return (
    <input
      className={`input ${className}`}
      aria-label={label}
      autoComplete="off"
      placeholder={placeholder}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

const Days = ({ label, value, onChange }: Omit<TypedProps, 'className' | 'placeholder'>) => (
  <span className="sentence">
    {label} <Typed className="short" label={label} value={value} onChange={onChange} /> {words.days}
  </span>
);

function SumFields({ value, onChange }: FieldsProps<'sum'>) {
  const select = (
    label: string,
    chosen: string | number,
    options: readonly { readonly value: string; readonly text: string }[],
    change: (text: string) => void,
  ) => (
    <select
      className="input"
      aria-label={label}
      value={chosen}
      onChange={({ target }) => change(target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  );
  const scopes = optionsOf(words.says.over);
  const times = [24, 168, 720].map((hours) => ({
    value: String(hours),
    text: words.says.hours({ count: hours }),
  }));
  return (
    <>
      <span className="sentence">
        {words.sum.begins}
        {select(words.sum.over, value.over, scopes, (text) => {
          const over = scopes.find((scope) => scope.value === text)?.value ?? value.over;
          onChange({ ...value, over });
        })}
        {words.sum.within}
        {select(words.sum.hours, value.hours, times, (text) =>
          onChange({ ...value, hours: Number(text) }),
        )}
      </span>
      <BandsField
        label={words.conditions.sum}
        bands={value.bands}
        onChange={(bands) => onChange({ ...value, bands })}
      />
    </>
  );
}

function CountriesField({ value, onChange }: FieldsProps<'payeeCountries'>) {
  const options = useMemo(
    () => countryNames().map(({ code, name }) => ({ value: code, text: name })),
    [],
  );
  return (
    <Chips
      label={words.conditions.payeeCountries}
      values={value}
      options={options}
      onChange={onChange}
    />
  );
}

/** The fields of each condition. */
const fieldsOf: { readonly [Name in ConditionName]: (props: FieldsProps<Name>) => ReactNode } = {
  amount: ({ value, onChange }) => (
    <BandsField label={words.conditions.amount} bands={value} onChange={onChange} />
  ),
  sum: (props) => <SumFields {...props} />,
  purposes: ({ value, onChange, purposes }) => (
    <Chips
      label={words.conditions.purposes}
      values={value}
      options={purposes.map((purpose) => ({ value: purpose, text: purposeWords(purpose) }))}
      onChange={onChange}
    />
  ),
  payeeTypes: ({ value, onChange }) => (
    <Checks
      label={words.conditions.payeeTypes}
      values={value}
      options={optionsOf(words.says.type)}
      onChange={onChange}
    />
  ),
  payeeCountries: (props) => <CountriesField {...props} />,
  payeeNewDays: ({ value, onChange }) => (
    <Days label={words.within} value={value} onChange={onChange} />
  ),
  accountNewDays: ({ value, onChange }) => (
    <Days label={words.within} value={value} onChange={onChange} />
  ),
  origins: ({ value, onChange }) => (
    <Checks
      label={words.conditions.origins}
      values={value}
      options={optionsOf(words.says.origin)}
      onChange={onChange}
    />
  ),
  nameChecks: ({ value, onChange }) => (
    <Checks
      label={words.conditions.nameChecks}
      values={value}
      options={optionsOf(words.says.nameCheck)}
      onChange={onChange}
    />
  ),
  providers: ({ value, onChange }) => (
    <span className="sentence">
      <Typed label={words.conditions.providers} value={value} onChange={onChange} />
      <span className="muted small">{words.providersHint}</span>
    </span>
  ),
  metadata: ({ value, onChange }) => (
    <span className="sentence">
      <Typed
        label={words.metadata.key}
        value={value.key}
        onChange={(key) => onChange({ ...value, key })}
      />
      {words.metadata.is}
      <Typed
        label={words.metadata.value}
        value={value.value}
        onChange={(text) => onChange({ ...value, value: text })}
      />
    </span>
  ),
};

/** The fields of one condition. */
export function ConditionFields<Name extends ConditionName>({
  name,
  ...props
}: FieldsProps<Name> & { readonly name: Name }) {
  return fieldsOf[name](props);
}
