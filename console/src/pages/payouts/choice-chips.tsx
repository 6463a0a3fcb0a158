import type { PayoutState } from '../../../../generated/console-types/graphql.ts';
import { CodeField } from '../../parts/code-field.tsx';
import { Choice } from '../../parts/choice.tsx';
import { FilterChip } from '../../parts/filter-chip.tsx';
import { texts } from '../../texts/texts.ts';
import { failureWords } from '../../values/failure-words.ts';
import type { ChipProps } from './chip-props.ts';

const words = texts.payouts.filter;

/** The states, several at once; what is checked holds at once. */
export function StatusChip({ address, onChange }: ChipProps) {
  const chosen = address.state ?? [];
  const all = Object.keys(texts.states) as PayoutState[];
  const named = chosen.map((state) => texts.states[state]).join(', ');
  const value = chosen.length > 2 ? words.someStates({ n: chosen.length }) : named || null;
  const toggle = (state: PayoutState) => {
    const next = all.filter((other) => chosen.includes(other) !== (other === state));
    onChange(next.length > 0 ? { state: next } : {}, ['state']);
  };
  return (
    <FilterChip label={words.states} value={value} onClear={() => onChange({}, ['state'])}>
      {() =>
        all.map((state) => (
          <label key={state}>
            <input
              type="checkbox"
              checked={chosen.includes(state)}
              onChange={() => toggle(state)}
            />
            {texts.states[state]}
          </label>
        ))
      }
    </FilterChip>
  );
}

/** Amounts are compared in one currency, so they go with it. */
const ofCurrency = ['currency', 'amountMinorFrom', 'amountMinorTo'];

export function CurrencyChip({ address, onChange }: ChipProps) {
  const { currency } = address;
  return (
    <FilterChip
      label={words.currency}
      value={currency ?? null}
      onClear={() => onChange({}, ofCurrency)}
    >
      {(close) => (
        <div className="panel">
          <CodeField
            of="currency"
            label={words.currency}
            name="currency"
            none={words.allCurrencies}
            value={currency}
            onChange={(code) => {
              onChange(code === '' ? {} : { currency: code }, ofCurrency);
              close();
            }}
          />
        </div>
      )}
    </FilterChip>
  );
}

export function FailureChip({ address, onChange }: ChipProps) {
  const { failureCode } = address;
  return (
    <FilterChip
      label={words.failure}
      value={failureCode === undefined ? null : failureWords(failureCode)}
      onClear={() => onChange({}, ['failureCode'])}
    >
      {(close) => (
        <div className="panel">
          <Choice
            label={words.failure}
            options={texts.failures}
            any={words.allFailures}
            value={failureCode as keyof typeof texts.failures | undefined}
            onChange={(code) => {
              onChange(code === undefined ? {} : { failureCode: code }, ['failureCode']);
              close();
            }}
          />
        </div>
      )}
    </FilterChip>
  );
}
