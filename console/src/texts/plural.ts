const rules = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

/** A count with grouped digits: `12,345`. */
export const count = (value: number): string => numbers.format(value);

/** A count and its noun: `1 payout`, `2 payouts`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${rules.select(value) === 'one' ? one : many}`;
