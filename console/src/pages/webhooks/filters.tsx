import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { texts } from '../../texts/texts.ts';
import { beginOf, dayOf } from '../../values/days.ts';
import { chosenOf, type Chosen } from './address.ts';

const words = texts.webhooks;

interface FiltersProps {
  readonly chosen: Chosen;
  onChange(chosen: Chosen): void;
}

/** Which deliveries the list shows: of one state, and of some days. */
export function Filters({ chosen, onChange }: FiltersProps) {
  const { status, createdSince: since, createdBefore: before } = chosen;
  return (
    <div className="card-body filters">
      <Choice
        label={words.state}
        options={words.states}
        any={words.anyState}
        value={status}
        onChange={(state) => onChange(chosenOf({ ...chosen, status: state }))}
      />
      <Day
        label={words.createdFrom}
        value={since ? dayOf(since) : ''}
        onChange={(day) =>
          onChange(chosenOf({ ...chosen, createdSince: day === '' ? undefined : beginOf(day) }))
        }
      />
      {/* The last day ends where the next one begins. */}
      <Day
        label={words.createdUntil}
        value={before ? dayOf(before, -1) : ''}
        onChange={(day) =>
          onChange(chosenOf({ ...chosen, createdBefore: day === '' ? undefined : beginOf(day, 1) }))
        }
      />
    </div>
  );
}

interface DayProps {
  readonly label: string;
  /** YYYY-MM-DD, or empty for any. */
  readonly value: string;
  onChange(day: string): void;
}

function Day({ label, value, onChange }: DayProps) {
  return (
    <Field label={label}>
      {(field) => (
        <input
          {...field}
          className="input"
          type="date"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
