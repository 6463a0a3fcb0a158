import { useState, type ReactNode, type SubmitEvent } from 'react';
import type { PayoutState } from '../../../../generated/console-types/graphql.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { texts } from '../../texts/texts.ts';
import { isNarrowed, type ListAddress } from './filters.ts';
import {
  isRange,
  narrowed,
  narrowingOf,
  narrowings,
  othersOf,
  typedOf,
  type Narrowing,
  type Typed,
} from './ranges.ts';

const words = texts.payouts.filter;

interface FilterBarProps {
  readonly address: ListAddress;
  onApply(address: ListAddress): void;
  /** Stands at the end of the bar. */
  readonly aside: ReactNode;
}

/** The filters of the list. What is applied is the address, so that it can be kept and passed on. */
export function FilterBar({ address, onApply, aside }: FilterBarProps) {
  const [states, setStates] = useState(address.state ?? []);
  const [currency, setCurrency] = useState(address.currency ?? '');
  const [by, setBy] = useState<Narrowing>(narrowingOf(address));
  const [typed, setTyped] = useState<Typed>(typedOf(address));
  const [fault, setFault] = useState<string | null>(null);
  const others = othersOf(address);

  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = narrowed(by, typed, currency);
    if ('fault' in wanted) {
      setFault(wanted.fault);
      return;
    }
    onApply({
      ...others,
      ...wanted.part,
      ...(states.length > 0 ? { state: states } : {}),
      ...(currency === '' ? {} : { currency }),
    });
  };
  return (
    <form className="filters" aria-label={words.label} onSubmit={apply}>
      <StatesMenu states={states} onChange={setStates} />
      <div className="narrow">
        <Field label={words.currency}>
          {(field) => (
            <input
              {...field}
              className="input"
              maxLength={3}
              value={currency}
              onChange={(event) => setCurrency(event.target.value.toUpperCase())}
            />
          )}
        </Field>
      </div>
      <Field label={words.by}>
        {(field) => (
          <select
            {...field}
            className="input"
            value={by}
            onChange={(event) => {
              setBy(event.target.value as Narrowing);
              setTyped({ from: '', to: '', value: '' });
              setFault(null);
            }}
          >
            {narrowings.map((name) => (
              <option key={name} value={name}>
                {words.bys[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Narrowed by={by} typed={typed} fault={fault} onChange={setTyped} />
      <Button type="submit">{words.apply}</Button>
      {isNarrowed(address) && (
        <Button kind="plain" onClick={() => onApply({})}>
          {words.clear}
        </Button>
      )}
      {aside}
      {Object.keys(others).length > 0 && (
        <span className="muted">
          {`${words.others}: `}
          {Object.entries(others)
            .map(([name, value]) => `${name} ${String(value)}`)
            .join(', ')}
        </span>
      )}
    </form>
  );
}

interface StatesMenuProps {
  readonly states: readonly PayoutState[];
  onChange(states: readonly PayoutState[]): void;
}

function StatesMenu({ states, onChange }: StatesMenuProps) {
  const all = Object.keys(texts.states) as PayoutState[];
  const [only] = states;
  const label =
    only === undefined
      ? words.allStates
      : states.length === 1
        ? texts.states[only]
        : words.someStates({ n: states.length });
  return (
    <div className="field">
      <span className="label">{words.states}</span>
      <Menu label={label}>
        {all.map((state) => (
          <label key={state}>
            <input
              type="checkbox"
              checked={states.includes(state)}
              onChange={() =>
                onChange(all.filter((other) => states.includes(other) !== (other === state)))
              }
            />
            {texts.states[state]}
          </label>
        ))}
      </Menu>
    </div>
  );
}

interface NarrowedProps {
  readonly by: Narrowing;
  readonly typed: Typed;
  readonly fault: string | null;
  onChange(typed: Typed): void;
}

/** The fields of what the list is narrowed by. */
function Narrowed({ by, typed, fault, onChange }: NarrowedProps) {
  if (by === 'none') return null;
  const names = isRange(by) ? (['from', 'to'] as const) : (['value'] as const);
  const type = by === 'created' || by === 'settled' ? 'date' : 'text';
  return names.map((name, place) => (
    <Field key={name} label={words[name]} fault={place === 0 ? fault : null}>
      {(field) => (
        <input
          {...field}
          className="input"
          type={type}
          value={typed[name]}
          onChange={(event) => onChange({ ...typed, [name]: event.target.value })}
        />
      )}
    </Field>
  ));
}
