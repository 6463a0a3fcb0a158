import { describe, expect, it } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import {
  claimQuietAttempts,
  findStalledPayouts,
  type Stalled,
} from '../../../src/domain/reconciliation/reconcile-store.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const { approved, handedOver, attemptOf, sql } = world;

const begin: Stalled = { tenantId: '', id: '', updatedAt: new Date(0) };

function stalled(after: Stalled = begin, take = 100): Promise<Stalled[]> {
  const search = { seconds: 120, environments: ['sandbox'], after, take };
  return findStalledPayouts(world.call.services.pool, search);
}

const changedAgo = (payoutId: string, seconds: number) =>
  sql(`UPDATE payout SET updated_at = now() - make_interval(secs => $2) WHERE id = $1`, [
    payoutId,
    seconds,
  ]);

describe('payouts that are stalled', () => {
  it('come each once, also where many were changed at one instant', async () => {
    const ids = [await approved(), await approved(), await approved(), await approved()];
    await sql(`UPDATE payout SET updated_at = now() - interval '10 minutes'`);
    const found: string[] = [];
    let after = begin;
    for (;;) {
      const [next] = await stalled(after, 1);
      if (next === undefined) break;
      found.push(next.id);
      after = next;
    }
    expect(found).toEqual(ids.toSorted());
  });

  it('come with the longest unchanged first, whatever their ids', async () => {
    const younger = await approved();
    const older = await approved();
    await changedAgo(younger, 300);
    await changedAgo(older, 600);
    expect((await stalled()).map(({ id }) => id)).toEqual([older, younger]);
    const [first] = await stalled(begin, 1);
    expect((await stalled(first)).map(({ id }) => id)).toEqual([younger]);
  });

  it('do not include one whose last call is younger, however old its last change', async () => {
    const id = await handedOver('unknown_lost');
    await changedAgo(id, 600);
    const calledAgo = (seconds: number) =>
      sql(`UPDATE disbursement_attempt SET called_at = now() - make_interval(secs => $1)`, [
        seconds,
      ]);
    await calledAgo(60);
    expect(await stalled()).toEqual([]);
    await calledAgo(121);
    expect((await stalled()).map((payout) => payout.id)).toEqual([id]);
  });

  it('do not include one that was changed a moment ago, however old its last call', async () => {
    const id = await handedOver('unknown_lost');
    await sql(`UPDATE disbursement_attempt SET called_at = now() - interval '10 minutes'`);
    await changedAgo(id, 60);
    expect(await stalled()).toEqual([]);
  });
});

describe('attempts that are quiet', () => {
  const lookedUpAgo = async (payoutId: string, seconds: number) =>
    sql(
      `UPDATE disbursement_attempt SET looked_up_at = now() - make_interval(secs => $2) WHERE id = $1`,
      [(await attemptOf(payoutId)).id, seconds],
    );
  const claim = async (take: number) =>
    (await claimQuietAttempts(world.call.services.pool, 'approved', 900, take)).map(
      ({ payoutId }) => payoutId,
    );
  /** A payout that the provider took, changed last so many seconds ago. */
  async function submitted(seconds: number): Promise<string> {
    const id = await approved();
    await disbursePayout(world.call, id);
    await changedAgo(id, seconds);
    return id;
  }

  it('that nobody asked about come first, then the one that was asked about longest ago', async () => {
    const askedLately = await submitted(5_000);
    const askedLongAgo = await submitted(4_000);
    const neverAsked = await submitted(1_000);
    await lookedUpAgo(askedLately, 1_000);
    await lookedUpAgo(askedLongAgo, 2_000);
    expect(await claim(1)).toEqual([neverAsked]);
    expect(await claim(1)).toEqual([askedLongAgo]);
    expect(await claim(1)).toEqual([askedLately]);
    expect(await claim(1)).toEqual([]);
  });

  it('and of those that nobody asked about, the one that is unchanged the longest', async () => {
    const younger = await submitted(1_000);
    const older = await submitted(2_000);
    expect(await claim(1)).toEqual([older]);
    expect(await claim(1)).toEqual([younger]);
  });

  it('are left alone until both the last change and the last look-up are old enough', async () => {
    const heardOfLately = await submitted(800);
    const askedLately = await submitted(5_000);
    await lookedUpAgo(askedLately, 800);
    expect(await claim(2)).toEqual([]);
    await changedAgo(heardOfLately, 901);
    await lookedUpAgo(askedLately, 901);
    expect((await claim(2)).toSorted()).toEqual([heardOfLately, askedLately].toSorted());
  });
});
