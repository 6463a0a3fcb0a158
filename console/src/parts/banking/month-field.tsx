import { texts } from '../../texts/texts.ts';
import { Field } from '../field.tsx';

/** The month YYYY-MM that ended last, by the reader's calendar. */
export function monthBefore(now = new Date()): string {
  const first = new Date(now.getFullYear(), now.getMonth() - 1, 1);
  return `${first.getFullYear()}-${String(first.getMonth() + 1).padStart(2, '0')}`;
}

const isMonth = (text: string): boolean => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);

interface MonthFieldProps {
  readonly month: string;
  onMonth(month: string): void;
}

/** Chooses a month. Browsers without a field for months take it as it is written, YYYY-MM. */
export function MonthField({ month, onMonth }: MonthFieldProps) {
  return (
    <div className="filters">
      <Field label={texts.banks.month.choose}>
        {(field) => (
          <input
            {...field}
            key={month}
            className="input"
            type="month"
            defaultValue={month}
            onChange={({ target }) => isMonth(target.value) && onMonth(target.value)}
          />
        )}
      </Field>
    </div>
  );
}
