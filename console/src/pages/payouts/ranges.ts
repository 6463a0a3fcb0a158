import { texts } from '../../texts/texts.ts';
import { beginOf, dayOf } from '../../values/days.ts';
import { amountParts, minorOf } from '../../values/money.ts';
import { filterOf, type ListAddress } from './filters.ts';

/**
 * What the list can be narrowed by beside what combines freely: one at a time, as the service answers each by its
 * index.
 */
export const ranges = ['created', 'settled', 'amount'] as const;
export const singles = [
  'externalRef',
  'payeeName',
  'beneficiaryId',
  'idempotencyKey',
  'waitingMinutes',
] as const;
export type Range = (typeof ranges)[number];
export type Single = (typeof singles)[number];
export type Narrowing = Range | Single | 'none';

/** What a reader typed into the fields of a narrowing. */
export interface Typed {
  readonly from: string;
  readonly to: string;
  readonly value: string;
}

/** The fields of an address that a narrowing sets. */
export function fieldsOf(by: Narrowing): readonly string[] {
  if (by === 'amount') return ['amountMinorFrom', 'amountMinorTo'];
  return by === 'created' || by === 'settled' ? [`${by}Since`, `${by}Before`] : [by];
}

/** The narrowing that an address has. */
export function narrowingOf(address: ListAddress): Narrowing {
  if (address.amountMinorFrom !== undefined || address.amountMinorTo !== undefined) return 'amount';
  if (address.createdSince || address.createdBefore) return 'created';
  if (address.settledSince || address.settledBefore) return 'settled';
  return singles.find((name) => address[name] !== undefined) ?? 'none';
}

/** What the fields show of an address. */
export function typedOf(address: ListAddress): Typed {
  const by = narrowingOf(address);
  const empty = { from: '', to: '', value: '' };
  if (by === 'none') return empty;
  if (by === 'amount') {
    const { currency = '', amountMinorFrom: from, amountMinorTo: to } = address;
    const text = (minor: number | undefined) => {
      if (minor === undefined) return '';
      const { whole, fraction } = amountParts(minor, currency);
      return whole + fraction;
    };
    return { ...empty, from: text(from), to: text(to) };
  }
  if (by === 'created' || by === 'settled') {
    const since = address[`${by}Since`];
    const before = address[`${by}Before`];
    // The last day of the range ends where the next one begins.
    return { ...empty, from: since ? dayOf(since) : '', to: before ? dayOf(before, -1) : '' };
  }
  return { ...empty, value: String(address[by] ?? '') };
}

/** The conditions of an address that have no field of their own in the bar. */
export function othersOf(address: ListAddress): ListAddress {
  const { state: _state, currency: _currency, failureCode: _code, ...rest } = filterOf(address);
  const shown = fieldsOf(narrowingOf(address));
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !shown.includes(name)));
}

/** The part of an address for what was typed, or why there is none. */
export function narrowed(
  by: Narrowing,
  { from, to, value }: Typed,
  currency: string,
): { readonly part: ListAddress } | { readonly fault: string } {
  const words = texts.payouts.filter;
  if (by === 'none') return { part: {} };
  if (by === 'amount') {
    if (currency === '') return { fault: words.needsCurrency };
    const [low, high] = [from, to].map((text) =>
      text === '' ? undefined : minorOf(text, currency),
    );
    if (low === null || high === null) return { fault: words.noAmount };
    return {
      part: {
        ...(low === undefined ? {} : { amountMinorFrom: low }),
        ...(high === undefined ? {} : { amountMinorTo: high }),
      },
    };
  }
  if (by === 'created' || by === 'settled') {
    return {
      part: {
        ...(from === '' ? {} : { [`${by}Since`]: beginOf(from) }),
        ...(to === '' ? {} : { [`${by}Before`]: beginOf(to, 1) }),
      },
    };
  }
  if (value === '') return { part: {} };
  if (by === 'waitingMinutes') {
    const minutes = Number(value);
    return {
      part: Number.isSafeInteger(minutes) && minutes >= 0 ? { waitingMinutes: minutes } : {},
    };
  }
  return { part: { [by]: value } };
}
