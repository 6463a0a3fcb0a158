import type { OverviewQuery } from '../../../../generated/console-types/graphql.ts';

type DayFigure = OverviewQuery['figures']['payoutsByDay'][number];

/** What was created on one day in one currency. */
export interface DaySum {
  readonly day: string;
  readonly count: number;
  /** Minor units of the currency. */
  readonly amountMinor: string;
}

/** The currencies of the figures, that of the most payouts first. */
export function currenciesOf(figures: readonly DayFigure[]): string[] {
  const counts = new Map<string, number>();
  for (const { currency, count } of figures)
    counts.set(currency, (counts.get(currency) ?? 0) + count);
  return [...counts]
    .toSorted(([a, more], [b, fewer]) => fewer - more || a.localeCompare(b))
    .map(([currency]) => currency);
}

/** One sum for each day, also for those on which nothing was created. */
export function sumsOf(
  figures: readonly DayFigure[],
  currency: string,
  days: readonly string[],
): DaySum[] {
  const ofDay = new Map(
    figures.filter((figure) => figure.currency === currency).map((figure) => [figure.day, figure]),
  );
  return days.map((day) => {
    const { count = 0, amountMinor = '0' } = ofDay.get(day) ?? {};
    return { day, count, amountMinor };
  });
}

/** All days together. */
export function totalOf(sums: readonly DaySum[]): Omit<DaySum, 'day'> {
  return {
    count: sums.reduce((sum, { count }) => sum + count, 0),
    amountMinor: sums.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n).toString(),
  };
}
