import { behindNames } from '../../../db/name-prefix.ts';
import { invalid, type DomainError } from '../../../errors/domain-error.ts';
import { payoutStates, type PayoutState } from '../machine.ts';
import type { PayoutListFilter } from './filter.ts';
import { payoutOrders, type PayoutOrderField } from './orders.ts';

/** A condition that payouts meet one by one; it is found by an index of its own, newest first. */
export const exactConditions = ['idempotencyKey', 'externalRef', 'beneficiaryId'] as const;

/** What a list walks through: all payouts, those of one condition, or the groups in one order. */
export type PayoutWalk = 'all' | (typeof exactConditions)[number] | PayoutOrderField;

export interface PayoutOrder {
  readonly field: PayoutOrderField;
  readonly descending: boolean;
}

/** How a list is read: which index answers it, between which keys, in which direction. */
export interface PayoutListPlan {
  readonly walk: PayoutWalk;
  readonly descending: boolean;
  readonly states: readonly PayoutState[];
  readonly filter: PayoutListFilter;
  /** Keys from `low` on, and below `high`. */
  readonly low: string;
  readonly high: string;
  /** Conditions remain that the walk does not answer. */
  readonly narrowed: boolean;
  /** Changes are read in the order in which they were made, up to the horizon (../../changes-horizon.ts). */
  readonly poll: boolean;
}

interface FilterRange {
  readonly field: PayoutOrderField;
  /** The caller's fields. */
  readonly by: readonly [string, ...string[]];
  readonly low: string | null;
  readonly high: string | null;
}

const combinations =
  'A list is found by state, currency, provider and failureCode in any combination, with one range: times of one step, updatedSince, waitingMinutes, an amount (with currency) or payeeName. It is ordered by its range. beneficiaryId, externalRef and idempotencyKey combine with one another and the first four, without a range and newest first, or with updatedSince.';

function unsupported(field: string): DomainError {
  return invalid([{ field, code: 'unsupported_combination', message: combinations }]);
}

const waiting: readonly PayoutState[] = ['pending_approval', 'compliance_hold'];

/** The ranges of a filter. @param now milliseconds since 1970 */
function rangesOf(filter: PayoutListFilter, now: number): FilterRange[] {
  const { payeeName, waitingMinutes, amountMinorFrom, amountMinorTo } = filter;
  const time = (
    step: 'created' | 'updated' | 'approved' | 'disbursed' | 'settled',
  ): FilterRange => ({
    field: `${step}_at`,
    by: [`${step}Since`, `${step}Before`],
    low: filter[`${step}Since`] ?? null,
    high: filter[`${step}Before`] ?? null,
  });
  const all: FilterRange[] = [
    ...(['created', 'updated', 'approved', 'disbursed', 'settled'] as const).map(time),
    {
      field: 'amount',
      by: ['amountMinorFrom', 'amountMinorTo'],
      low: amountMinorFrom?.toString() ?? null,
      // Up to and with the amount, while the other ranges end before their end.
      high: typeof amountMinorTo === 'bigint' ? String(amountMinorTo + 1n) : null,
    },
    {
      field: 'payee_name',
      by: ['payeeName'],
      low: payeeName ?? null,
      high: payeeName ? payeeName + behindNames : null,
    },
    {
      field: 'updated_at',
      by: ['waitingMinutes'],
      low: null,
      high:
        typeof waitingMinutes === 'number'
          ? new Date(now - waitingMinutes * 60_000).toISOString()
          : null,
    },
  ];
  return all.filter(({ low, high }) => low !== null || high !== null);
}

/** The order that a list has when its caller names none. */
function usualOrder(range: FilterRange | undefined): PayoutOrder {
  if (range === undefined) return { field: 'created_at', descending: true };
  const ascending =
    range.field === 'payee_name' || range.by.includes('waitingMinutes') || isPoll(range);
  return { field: range.field, descending: !ascending };
}

const isPoll = (range: FilterRange | undefined): boolean =>
  range?.field === 'updated_at' && range.low !== null;

/**
 * Chooses the index that answers a list. Throws `validation_failed` with `unsupported_combination` for what
 * none answers, so that a list costs the same whatever it matches.
 * @param order as the caller named it; null for the usual one
 * @param now milliseconds since 1970, for what is told in minutes
 */
export function choosePayoutList(
  filter: PayoutListFilter,
  order: PayoutOrder | null,
  now: number,
): PayoutListPlan {
  const [range, second] = rangesOf(filter, now);
  if (second !== undefined) throw unsupported(`filter.${second.by[0]}`);
  const { field, descending } = order ?? usualOrder(range);
  if (range !== undefined && range.field !== field) throw unsupported('orderBy.field');
  if (field === 'amount' && !filter.currency) {
    throw invalid([
      {
        field: 'filter.currency',
        code: 'required',
        message: 'Amounts are compared in one currency.',
      },
    ]);
  }
  const waits = typeof filter.waitingMinutes === 'number';
  const states = filter.state ?? (waits ? waiting : payoutStates);
  if (waits && states.some((state) => !waiting.includes(state))) throw unsupported('filter.state');

  const condition = exactConditions.find((name) => filter[name]);
  const changes = field === 'updated_at' && (range === undefined || isPoll(range));
  if (condition !== undefined && !(changes || (field === 'created_at' && range === undefined))) {
    throw unsupported(`filter.${condition}`);
  }
  const chosen = [filter.state, filter.currency, filter.provider, filter.failureCode];
  const free = !chosen.some((choice) => choice !== null && choice !== undefined);
  const newest = field === 'created_at' && range === undefined;
  const walk = !newest ? field : (condition ?? (free ? 'all' : field));
  return {
    walk,
    descending,
    states,
    filter,
    low: range?.low ?? payoutOrders[field].lowest,
    high: range?.high ?? payoutOrders[field].highest,
    narrowed:
      typeof filter.replaced === 'boolean' ||
      (condition !== undefined && !(walk === condition && isAlone(filter, condition, free))),
    poll: changes && !descending,
  };
}

/** Whether a condition is all that there is to the filter. */
function isAlone(filter: PayoutListFilter, condition: string, free: boolean): boolean {
  return free && exactConditions.every((name) => name === condition || !filter[name]);
}
