import { amountParts } from '../values/money.ts';

interface AmountProps {
  /** Minor units of `currency`. */
  readonly minor: number | string;
  readonly currency: string;
  /** In a column: decimal points of all rows stand below each other. */
  readonly aligned?: boolean;
}

/** An amount of money with its currency. */
export function Amount({ minor, currency, aligned = false }: AmountProps) {
  const { whole, fraction } = amountParts(minor, currency);
  const digits = Math.max(0, fraction.length - 1);
  return (
    <span className="amount" data-aligned={aligned}>
      {/* One text, so that it is read aloud as one number. */}
      <span className="number" data-digits={digits}>{`${whole}${fraction}`}</span>
      {/* Begins with a space, so that what is copied or read aloud has one. */}
      <span className="currency">{` ${currency}`}</span>
    </span>
  );
}
