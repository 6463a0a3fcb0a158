import { describe, expect, it } from 'vitest';
import {
  contradictionsOf,
  type Claim,
  type ContradictionKind,
} from '../../../src/domain/contradiction/contradiction.ts';

const attempt = {
  tenantId: 'ten_1',
  id: 'dat_1',
  amountMinor: 777n,
  currency: 'USD',
  providerPayoutId: 'po_1',
  paidToldAt: null,
  endedToldAt: null,
  executedToldAt: null,
};
const claim: Claim = {
  providerPayoutId: 'po_1',
  reference: 'ten_1.dat_1',
  amountMinor: 777n,
  currency: 'USD',
  says: 'processing',
  at: '2026-11-01T10:00:01.000Z',
};
const noon = (second: number): Date => new Date(Date.UTC(2026, 10, 1, 10, 0, second));

const kinds = (known: object, ...claims: Partial<Claim>[]): ContradictionKind[] =>
  contradictionsOf(
    { ...attempt, ...known },
    claims.map((told) => ({ ...claim, ...told })),
  ).map(({ kind }) => kind);

describe('what a provider says of an attempt', () => {
  it.each<[string, Partial<Claim>, ContradictionKind[]]>([
    ['nothing else', {}, []],
    ['another amount', { amountMinor: 77_700n }, ['amount']],
    ['no amount that a payment has', { amountMinor: 0n }, ['amount']],
    ['another currency', { currency: 'EUR' }, ['currency']],
    ['another attempt', { reference: 'ten_1.dat_2' }, ['reference']],
    ['another tenant', { reference: 'ten_2.dat_1' }, ['reference']],
    ['another payment', { providerPayoutId: 'po_2' }, ['payment']],
    ['both', { amountMinor: 77_700n, currency: 'EUR' }, ['amount', 'currency']],
  ])('contradicts it by %s', (_name, told, expected) => {
    expect(kinds({}, told)).toEqual(expected);
  });

  it('agrees on any payment while none is known', () => {
    expect(kinds({ providerPayoutId: null }, { providerPayoutId: 'po_2' })).toEqual([]);
  });

  it('contradicts it by a second payment, whatever became of either', () => {
    const second = { providerPayoutId: 'po_2', says: 'failed' } as const;
    expect(kinds({}, {}, second)).toEqual(['second_payment']);
    expect(kinds({}, {}, {})).toEqual(['second_payment']);
  });

  it.each(['processing', 'held', 'disbursed', 'settled'] as const)(
    'may be %s until its end, and not after it',
    (says) => {
      expect(kinds({ endedToldAt: noon(2) }, { says })).toEqual([]);
      expect(kinds({ endedToldAt: noon(1) }, { says })).toEqual([]);
      expect(kinds({ endedToldAt: noon(0) }, { says })).toEqual(['outcome']);
      expect(kinds({ paidToldAt: noon(2) }, { says })).toEqual([]);
    },
  );

  it.each(['failed', 'returned'] as const)('is not %s before it was paid', (says) => {
    expect(kinds({ paidToldAt: noon(0) }, { says })).toEqual([]);
    expect(kinds({ paidToldAt: noon(1) }, { says })).toEqual([]);
    expect(kinds({ paidToldAt: noon(2) }, { says })).toEqual(['outcome']);
    expect(kinds({ endedToldAt: noon(0) }, { says })).toEqual([]);
  });

  it('compares milliseconds, as they are kept', () => {
    const at = '2026-11-01T10:00:01.000900Z';
    expect(kinds({ endedToldAt: noon(1) }, { says: 'disbursed', at })).toEqual([]);
    expect(kinds({ paidToldAt: noon(1) }, { says: 'failed', at })).toEqual([]);
  });

  it('says nothing of the money without an outcome', () => {
    expect(kinds({ endedToldAt: noon(0) }, { says: null })).toEqual([]);
  });

  it('repeats no words of the provider', () => {
    const told = { reference: 'Ada Lovelace', providerPayoutId: 'ada@example.com' };
    const found = contradictionsOf(attempt, [{ ...claim, ...told }]);
    expect(JSON.stringify(found)).not.toMatch(/ada|Lovelace/i);
    expect(found.map(({ kind }) => kind)).toEqual(['reference', 'payment']);
  });
});
