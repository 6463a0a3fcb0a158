import type { PayoutFilter, PayoutState } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { pageSearch, textOf, type PagePlace } from './address.ts';

/** The fields of a filter that hold a text, by the names that they have in GraphQL and in the address. */
const textFields = [
  'currency',
  'provider',
  'failureCode',
  'beneficiaryId',
  'externalRef',
  'idempotencyKey',
  'payeeName',
  'createdSince',
  'createdBefore',
  'updatedBefore',
  'approvedSince',
  'approvedBefore',
  'disbursedSince',
  'disbursedBefore',
  'settledSince',
  'settledBefore',
] as const;
const numberFields = ['amountMinorFrom', 'amountMinorTo', 'waitingMinutes'] as const;

type Filters = {
  readonly [Name in (typeof textFields)[number]]?: string;
} & { readonly [Name in (typeof numberFields)[number]]?: number };

/** What the address of the list says: its filter by the fields of `PayoutFilter`, its page, and what is looked for. */
export type ListAddress = PagePlace &
  Filters & {
    readonly state?: readonly PayoutState[];
    readonly replaced?: boolean;
    readonly find?: string;
  };

const states = Object.keys(texts.states) as PayoutState[];

const statesOf = (value: unknown): PayoutState[] => {
  const given: unknown[] = Array.isArray(value) ? value : [value];
  return states.filter((state) => given.includes(state));
};

/** Reads an address; what it has beside is left out, so that a mistyped one shows a list all the same. */
export function listSearch(given: Record<string, unknown>): ListAddress {
  const chosen = statesOf(given['state']);
  const find = textOf(given['find']);
  return {
    ...pageSearch(given),
    ...(chosen.length > 0 ? { state: chosen } : {}),
    ...(find === undefined ? {} : { find }),
    ...(typeof given['replaced'] === 'boolean' ? { replaced: given['replaced'] } : {}),
    ...Object.fromEntries(
      textFields.flatMap((name) => {
        const text = textOf(given[name]);
        return text === undefined || text === '' ? [] : [[name, text]];
      }),
    ),
    ...Object.fromEntries(
      numberFields.flatMap((name) => {
        const number = Number(textOf(given[name]) || undefined);
        return Number.isSafeInteger(number) ? [[name, number]] : [];
      }),
    ),
  };
}

/** The filter of an address. */
export function filterOf({ after: _after, before: _before, find: _find, ...filter }: ListAddress) {
  return filter as PayoutFilter;
}

/** How many conditions an address has; both ends of a range are one. */
export const conditionsOf = (address: ListAddress): number =>
  new Set(
    Object.keys(filterOf(address)).map((name) => name.replace(/(?:Since|Before|From|To)$/, '')),
  ).size;

/** Whether an address chooses among the payouts. */
export const isNarrowed = (address: ListAddress): boolean => conditionsOf(address) > 0;
