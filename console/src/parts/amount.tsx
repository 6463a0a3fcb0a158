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
  return (
    <span className="amount" data-aligned={aligned}>
      <span>{whole}</span>
      <span className="fraction">{fraction}</span>
      {/* A text of its own, so that what is copied or read aloud has a space. */}
      <span className="currency">{` ${currency}`}</span>
    </span>
  );
}
