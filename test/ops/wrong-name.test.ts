import { describe, expect, it } from 'vitest';
import { useOperatedPayouts } from './payouts-support.ts';

const { world, parts, waiting, resolve } = useOperatedPayouts();
const { attemptOf, handedOver, sql, stateOf, tell } = world;

const contradictions = (payoutId: string) =>
  parts.operator.sql(
    'SELECT kind, said, expected, finding FROM ops.contradictions WHERE payout_id = $1',
    [payoutId],
  );

const shownId = async (payoutId: string) =>
  (
    await sql<{ provider_payout_id: string }>(
      'SELECT provider_payout_id FROM payout WHERE id = $1',
      [payoutId],
    )
  )[0]?.provider_payout_id;

describe("a provider's id that an operator gave", () => {
  it('is corrected and flagged when the provider names another', async () => {
    const id = await waiting();
    expect(await resolve(id, 'paid', 'po_wrong')).toBe('paid');
    await tell(id, { type: 'settled', providerPayoutId: 'po_right' });
    expect(await stateOf(id)).toBe('settled');
    expect(await attemptOf(id)).toMatchObject({
      provider_payout_id: 'po_right',
      needs_operator: true,
    });
    expect(await shownId(id)).toBe('po_right');
    expect(await contradictions(id)).toEqual([
      { kind: 'payment', said: 'po_right', expected: 'po_wrong', finding: null },
    ]);
    expect(
      await parts.operator.row('SELECT reason FROM ops.stuck_payouts WHERE payout_id = $1', [id]),
    ).toEqual({ reason: 'provider_contradicts' });

    // From then on the provider is held to its own id.
    await tell(id, { type: 'returned', providerPayoutId: 'po_third' });
    expect(await stateOf(id)).toBe('settled');
    expect(await attemptOf(id)).toMatchObject({ provider_payout_id: 'po_right' });
  });

  it('stays when the provider names the same, and a later other one moves nothing', async () => {
    const id = await waiting();
    await resolve(id, 'paid', 'po_found');
    await tell(id, { type: 'disbursed', providerPayoutId: 'po_found' });
    expect(await contradictions(id)).toEqual([]);
    await tell(id, { type: 'settled', providerPayoutId: 'po_other' });
    expect(await stateOf(id)).toBe('disbursed');
    expect(await shownId(id)).toBe('po_found');
  });

  it('is not corrected to the payment of another attempt, nor where something else is wrong too', async () => {
    const taken = await handedOver('ok');
    const { provider_payout_id: theirs } = await attemptOf(taken);
    const id = await waiting();
    await resolve(id, 'paid', 'po_wrong_2');
    await tell(id, { type: 'settled', providerPayoutId: theirs ?? '' });
    await tell(id, { type: 'settled', providerPayoutId: 'po_right_2', amountMinor: 1n });
    expect(await stateOf(id)).toBe('disbursed');
    expect(await shownId(id)).toBe('po_wrong_2');
    expect((await contradictions(id)).map(({ kind }) => String(kind)).toSorted()).toEqual([
      'amount',
      'payment',
      'payment',
    ]);
  });
});
