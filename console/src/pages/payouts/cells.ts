import type { PayoutListQuery } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { amountParts, fileMarks } from '../../values/money.ts';

export type ListedPayout = PayoutListQuery['payouts']['edges'][number]['node'];

const words = texts.payouts.columns;

/** What a file says of a payout in each column of the list. Amounts have a point and no other mark. */
const cells = {
  payee: ({ beneficiaryName, beneficiaryId }) => beneficiaryName ?? beneficiaryId,
  amount: ({ amountMinor, currency }) => {
    const { whole, fraction } = amountParts(amountMinor, currency, { ...fileMarks, group: '' });
    return whole + fraction;
  },
  state: ({ state }) => texts.states[state],
  reference: ({ externalRef }) => externalRef,
  created: ({ createdAt }) => createdAt,
  updated: ({ updatedAt }) => updatedAt,
  settled: ({ settledAt }) => settledAt,
  account: ({ destination }) => destination.maskedAccount,
  purpose: ({ purposeOfPayment }) => purposeOfPayment,
  provider: ({ provider }) => provider,
  failure: ({ failureCode }) => failureCode,
  id: ({ id }) => id,
} as const satisfies Record<string, (payout: ListedPayout) => string | null>;

/** A column of the list. */
export type ColumnName = keyof typeof cells;

/** The row of a file; the amount's currency has a cell of its own behind it. */
export const cellsOf = (payout: ListedPayout, columns: readonly ColumnName[]): string[] =>
  columns.flatMap((name) => [
    cells[name](payout) ?? '',
    ...(name === 'amount' ? [payout.currency] : []),
  ]);

/** The first row of a file. */
export const headersOf = (columns: readonly ColumnName[]): string[] =>
  columns.flatMap((name) => [
    words[name],
    ...(name === 'amount' ? [texts.payouts.filter.currency] : []),
  ]);
