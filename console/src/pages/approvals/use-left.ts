import { useEffect, useRef, useState } from 'react';
import { announce } from '../../parts/live.tsx';
import { texts } from '../../texts/texts.ts';
import { amountText } from '../../values/money.ts';
import { nameOf, type WaitingPayout } from './rows.ts';

const amountOf = ({ amountMinor, currency }: WaitingPayout): string =>
  amountText(amountMinor, currency);

/** Payouts that left the queue under the reader: another person decided on them. What the reader decided does not count. */
export function useLeft(listKey: string, rows: readonly WaitingPayout[]) {
  const [gone, setGone] = useState<readonly WaitingPayout[]>([]);
  const seen = useRef<{ readonly key: string; readonly rows: readonly WaitingPayout[] } | null>(
    null,
  );
  const expected = useRef(new Set<string>());

  useEffect(() => {
    const before = seen.current?.key === listKey ? seen.current.rows : [];
    seen.current = { key: listKey, rows };
    const present = new Set(rows.map(({ id }) => id));
    // A row that only moved to another page stands behind the ones that are here.
    const missing = before.filter(({ id }) => !present.has(id) && !expected.current.has(id));
    if (missing.length === 0) return;
    setGone(missing);
    for (const row of missing)
      announce(texts.approvals.gone({ name: nameOf(row), amount: amountOf(row) }));
  }, [listKey, rows]);

  const expect = (ids: readonly string[]) => {
    for (const id of ids) expected.current.add(id);
    setGone([]);
  };
  return { gone, expect, amountOf };
}
