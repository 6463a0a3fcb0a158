import { useState } from 'react';

/** What was read, and when. */
export interface CachedData<Data> {
  /** Null until there is an answer. */
  readonly data: Data | null;
  /** ISO 8601; null where `data` is of an answer that has errors, or is not there. */
  readonly readAt: string | null;
}

/** When each answer came. An answer of the cache is as old as it is. */
const times = new WeakMap<object, string>();

function timeOf(data: object): string {
  const known = times.get(data) ?? new Date().toISOString();
  times.set(data, known);
  return known;
}

/**
 * The last answer without a fault: a query that is asked anew has no data any more when that fails, and what a
 * reader sees, has chosen and has typed must not go with it.
 *
 * @param key names the query and its variables: with others it begins anew
 * @param answer of the latest attempt
 */
export function useKept<Data extends object>(
  key: string,
  answer: Data | null | undefined,
  hasFailed: boolean,
): CachedData<Data> {
  const [good, setGood] = useState<{ readonly key: string; readonly data: Data } | null>(null);
  const isGood = answer !== null && answer !== undefined && !hasFailed;
  if (isGood && (good?.key !== key || good.data !== answer)) setGood({ key, data: answer });
  if (isGood) return { data: answer, readAt: timeOf(answer) };
  if (good?.key === key) return { data: good.data, readAt: timeOf(good.data) };
  return { data: answer ?? null, readAt: null };
}
