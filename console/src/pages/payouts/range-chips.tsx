import { useState, type ReactNode, type SubmitEvent } from 'react';
import { Button } from '../../parts/button.tsx';
import { CodeField } from '../../parts/code-field.tsx';
import { Field } from '../../parts/field.tsx';
import { FilterChip } from '../../parts/filter-chip.tsx';
import { texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';
import type { ChipProps } from './chip-props.ts';
import type { ListAddress } from './filters.ts';
import {
  fieldsOf,
  narrowed,
  narrowingOf,
  singles,
  typedOf,
  type Narrowing,
  type Range,
  type Single,
  type Typed,
} from './ranges.ts';

const words = texts.payouts.filter;

/** A range as it is read: both ends, or the one that it has. */
function rangeText(by: Range, address: ListAddress): string | null {
  if (narrowingOf(address) !== by) return null;
  const { from, to } = typedOf(address);
  const said = (end: string) => (end === '' || by === 'amount' ? end : shortDay(end));
  return `${said(from)} – ${said(to)}`.trim();
}

/** From one day or amount to another. */
export function RangeChip({ by, address, onChange }: ChipProps & { readonly by: Range }) {
  return (
    <FilterChip
      label={words.bys[by]}
      value={rangeText(by, address)}
      onClear={() => onChange({}, fieldsOf(by))}
    >
      {(close) => (
        <NarrowForm by={by} address={address} onChange={onChange} onDone={close}>
          {(typed, type, fault) => (
            <div className="pair">
              <End name="from" by={by} typed={typed} onType={type} fault={fault} />
              <End name="to" by={by} typed={typed} onType={type} fault={null} />
            </div>
          )}
        </NarrowForm>
      )}
    </FilterChip>
  );
}

/** What is looked for by one value. */
export function MoreChip({ address, onChange }: ChipProps) {
  const present = narrowingOf(address);
  const shown = singles.find((single) => single === present);
  const [by, setBy] = useState<Single>(shown ?? singles[0]);
  return (
    <FilterChip
      label={shown === undefined ? words.by : words.bys[shown]}
      value={shown === undefined ? null : typedOf(address).value}
      onClear={() => onChange({}, fieldsOf(present))}
    >
      {(close) => (
        <NarrowForm key={by} by={by} address={address} onChange={onChange} onDone={close}>
          {(typed, type, fault) => (
            <>
              <Field label={words.by}>
                {(field) => (
                  <select
                    {...field}
                    className="input"
                    value={by}
                    onChange={({ target }) => setBy(target.value as Single)}
                  >
                    {singles.map((name) => (
                      <option key={name} value={name}>
                        {words.bys[name]}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <End name="value" by={by} typed={typed} onType={type} fault={fault} />
            </>
          )}
        </NarrowForm>
      )}
    </FilterChip>
  );
}

interface EndProps {
  readonly name: keyof Typed;
  readonly by: Narrowing;
  readonly typed: Typed;
  readonly fault: string | null;
  onType(typed: Typed): void;
}

function End({ name, by, typed, fault, onType }: EndProps) {
  return (
    <Field label={words[name]} fault={fault}>
      {(field) => (
        <input
          {...field}
          className="input"
          type={by === 'created' || by === 'settled' ? 'date' : 'text'}
          value={typed[name]}
          onChange={({ target }) => onType({ ...typed, [name]: target.value })}
        />
      )}
    </Field>
  );
}

interface NarrowFormProps extends ChipProps {
  readonly by: Range | Single;
  onDone(): void;
  children(typed: Typed, type: (typed: Typed) => void, fault: string | null): ReactNode;
}

/** What the list is narrowed by beside what combines freely: one at a time, as the service answers each by its index. */
function NarrowForm({ by, address, onChange, onDone, children }: NarrowFormProps) {
  const present = narrowingOf(address);
  const [typed, setTyped] = useState<Typed>(
    present === by ? typedOf(address) : { from: '', to: '', value: '' },
  );
  const [currency, setCurrency] = useState(address.currency ?? '');
  const [fault, setFault] = useState<string | null>(null);
  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = narrowed(by, typed, currency);
    if ('fault' in wanted) {
      setFault(wanted.fault);
      return;
    }
    const chosen = by === 'amount' ? { currency } : {};
    onChange({ ...wanted.part, ...chosen }, fieldsOf(present));
    onDone();
  };
  return (
    <form className="panel" onSubmit={apply}>
      {by === 'amount' && address.currency === undefined && (
        <CodeField
          of="currency"
          label={words.currency}
          name="currency"
          none={words.allCurrencies}
          value={currency}
          onChange={setCurrency}
        />
      )}
      {children(typed, setTyped, fault)}
      {present !== 'none' && present !== by && (
        <p className="muted small">{words.instead({ name: words.bys[present] })}</p>
      )}
      <Button type="submit" kind="primary">
        {words.apply}
      </Button>
    </form>
  );
}
