/** What the control records say of entries. */
export interface Totals {
  /** Lines of entries and of addenda. */
  readonly count: number;
  /** The sum of the first eight digits of the routing numbers. Written are its last ten digits. */
  readonly hash: bigint;
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
}

export const noTotals: Totals = { count: 0, hash: 0n, debitMinor: 0n, creditMinor: 0n };

export function addTotals(one: Totals, other: Totals): Totals {
  return {
    count: one.count + other.count,
    hash: one.hash + other.hash,
    debitMinor: one.debitMinor + other.debitMinor,
    creditMinor: one.creditMinor + other.creditMinor,
  };
}

export function sameTotals(one: Totals, other: Totals): boolean {
  return (
    one.count === other.count &&
    one.hash === other.hash &&
    one.debitMinor === other.debitMinor &&
    one.creditMinor === other.creditMinor
  );
}

/** The fields of a control record that say them. */
export function totalsFields({ count, hash, debitMinor, creditMinor }: Totals) {
  return {
    entryAddendaCount: count,
    entryHash: hash % 10_000_000_000n,
    totalDebit: debitMinor,
    totalCredit: creditMinor,
  };
}
