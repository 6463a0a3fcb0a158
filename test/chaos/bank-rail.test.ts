import { afterEach, describe, expect, test } from 'vitest';
import type { BankBook } from '../../tools/verify/sources.ts';
import { ibans, startBankHarness } from './support/bank-harness.ts';
import type { Harness } from '../support/harness.ts';
import { longTestMs } from '../support/patience.ts';

const open: Harness[] = [];
afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close();
});

describe.each(['folder', 'sftp'] as const)('payouts through the sandbox bank, by %s', (way) => {
  test('end as the bank says, and the four books agree', { timeout: longTestMs }, async () => {
    const world = await startBankHarness(way);
    open.push(world.harness);
    const paid = await Promise.all([
      world.payInEurope(ibans.usual),
      world.payInEurope(ibans['0001']),
      world.payInEurope(ibans['0002']),
      world.payInAmerica('6789'),
      world.payInAmerica('0002'),
      // Of no decimals and of three, from the account in euro.
      world.payAbroad('ISK', 84_019),
      world.payAbroad('KWD', 19_999),
    ]);
    const expected = ['settled', 'failed', 'returned', 'settled', 'returned', 'settled', 'settled'];
    await world.until(Object.fromEntries(paid.map((id, index) => [id, expected[index] ?? ''])));
    await world.agrees();
    expect(world.harness.bank?.book.openFiles()).toEqual([]);

    const kinds = async (lie: (book: BankBook) => BankBook) => [
      ...new Set((await world.violated(lie)).map((found) => found.slice(0, 2))),
    ];
    const twice = <Item>(items: readonly Item[], change: Partial<Item>) =>
      items.flatMap((item) => [item, { ...item, ...change }]);
    const changed = <Item>(items: readonly Item[], change: Partial<Item>) =>
      items.map((item) => ({ ...item, ...change }));
    expect(
      await kinds(({ orders, entries }) => ({ orders, entries: twice(entries, { id: 'SB2' }) })),
    ).toEqual(['F1']);
    expect(
      await kinds(({ orders, entries }) => ({
        orders,
        entries: changed(entries, { amount: '1' }),
      })),
    ).toEqual(['B3', 'F1']);
    expect(
      await kinds(({ orders, entries }) => ({
        orders: changed(orders, { file_sha256: 'f'.repeat(64) }),
        entries,
      })),
    ).toEqual(['F2']);
    expect(
      await kinds(({ orders, entries }) => ({ orders: twice(orders, { id: 'SB3' }), entries })),
    ).toEqual(['F2']);
    expect(await kinds(({ orders }) => ({ orders, entries: [] }))).toEqual(['B3', 'F3']);
    const stranger = { instruction_id: 'x', trace_number: null };
    expect(
      await kinds(({ orders, entries }) => ({ orders: changed(orders, stranger), entries })),
    ).toEqual(['B3', 'F1', 'F2', 'F3']);
  });
});
