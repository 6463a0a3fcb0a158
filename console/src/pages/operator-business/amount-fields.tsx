import { CodeField } from '../../parts/code-field.tsx';
import { Field } from '../../parts/field.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.operatorBusiness.funding;

interface AmountFieldsProps {
  /** Whether what was typed is no amount of the currency. */
  readonly wrong: boolean;
  readonly label?: string;
}

/** A currency and an amount as the reader writes it, by the names `currency` and `amount`. */
export function AmountFields({ wrong, label = texts.money.amount }: AmountFieldsProps) {
  return (
    <div className="columns">
      <CodeField
        of="currency"
        name="currency"
        label={words.currency}
        none={words.chooseCurrency}
        required
      />
      <Field label={label} fault={wrong ? words.noAmount : undefined}>
        {(field) => (
          <input {...field} className="input" name="amount" inputMode="decimal" required />
        )}
      </Field>
    </div>
  );
}
