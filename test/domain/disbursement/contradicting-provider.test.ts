import { describe, expect, it } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { reconcilePayouts } from '../../../src/domain/reconciliation/reconcile.ts';
import { makeReference } from '../../../src/providers/reference.ts';
import { ProviderError, type ProviderPayout } from '../../../src/providers/port.ts';
import { payoutBody } from '../../support/factory.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ env: { LOG_LEVEL: 'silent' } });
const { approved, approve, attemptOf, handedOver, sql, stateOf, tell } = world;

const at = (second: number) => `2026-11-01T10:00:${String(second).padStart(2, '0')}.000Z`;

interface Row {
  readonly kind: string;
  readonly source: string;
  readonly said: string;
}

const recorded = (payoutId: string) =>
  sql<Row>(
    'SELECT kind, source, said FROM provider_contradiction WHERE payout_id = $1 ORDER BY noticed_at, kind',
    [payoutId],
  );
const kindsOf = async (payoutId: string) => (await recorded(payoutId)).map(({ kind }) => kind);

/** What a person found about everything that is recorded of a payout. */
async function examine(payoutId: string, finding: string): Promise<void> {
  await sql(
    `SELECT ops.examine_contradiction(id, $2, 'ticket 4711', 'case 17')
     FROM provider_contradiction WHERE payout_id = $1 AND finding IS NULL`,
    [payoutId, finding],
  );
}

function replacing(payoutId: string, strategy = 'manual') {
  const body = payoutBody(world.payee, {
    replaces_payout_id: payoutId,
    validator_strategy: strategy,
  });
  return world.harness.rest('POST', '/v1/payouts', { key: world.tenant.key, body });
}

async function says(payoutId: string, told: Partial<ProviderPayout>): Promise<string> {
  const reference = makeReference(world.tenant.tenantId, (await attemptOf(payoutId)).id);
  world.provider.found.set(reference, told);
  return reference;
}

async function asksAgain(payoutId: string): Promise<void> {
  await sql(`UPDATE payout SET updated_at = now() - interval '30 days' WHERE id = $1`, [payoutId]);
  await reconcilePayouts(world.call.services);
}

describe('an answer to a submission that disagrees', () => {
  it.each([
    ['amount', { amountMinor: 12_500_000n }],
    ['currency', { currency: 'EUR' }],
    ['reference', { reference: 'ten_x.dat_x' }],
  ] as const)('about the %s is not accepted, sent again or believed', async (kind, lie) => {
    const id = await approved();
    const { port, ledger } = world.provider;
    const submit = port.submit.bind(port);
    port.submit = async (request) => ({ ...(await submit(request)), ...lie });
    await disbursePayout(world.call, id);
    expect(await attemptOf(id)).toMatchObject({ status: 'unknown', needs_operator: true });
    expect(await recorded(id)).toMatchObject([{ kind, source: 'submission' }]);
    // Nothing is there: that concludes nothing, and nothing is sent.
    const taken = new Map(ledger);
    (ledger as Map<string, unknown>).clear();
    await disbursePayout(world.call, id);
    expect(world.provider.submissions).toHaveLength(1);
    expect(await stateOf(id)).toBe('approved');
    // What the provider has is right after all: the payout goes on, the person is still called.
    for (const [key, entry] of taken) (ledger as Map<string, unknown>).set(key, entry);
    await disbursePayout(world.call, id);
    expect(await attemptOf(id)).toMatchObject({ status: 'submitted', needs_operator: true });
    expect(await tell(id, { type: 'settled' })).toBe('applied');
    expect(await stateOf(id)).toBe('settled');
    expect(await kindsOf(id)).toEqual([kind]);
    await examine(id, 'as_recorded');
    expect(await attemptOf(id)).toMatchObject({ needs_operator: false });
  });

  it('about the payment, of which an event came first, is recorded', async () => {
    const id = await approved();
    const { port } = world.provider;
    const submit = port.submit.bind(port);
    port.submit = async (request) => {
      const answer = await submit(request);
      await tell(id, { type: 'acknowledged' });
      return { ...answer, providerPayoutId: 'po_other' };
    };
    await disbursePayout(world.call, id);
    expect(await recorded(id)).toMatchObject([
      { kind: 'payment', source: 'submission', said: 'po_other' },
    ]);
    expect(await attemptOf(id)).toMatchObject({ status: 'submitted', needs_operator: true });
  });

  it('does not take the payment of another attempt for its own', async () => {
    const [first, second] = [await handedOver('ok'), await handedOver('unknown_lost')];
    const { provider_payout_id: taken } = await attemptOf(first);
    expect(await tell(second, { type: 'settled', providerPayoutId: taken ?? '' })).toBe('applied');
    expect(await stateOf(second)).toBe('approved');
    expect(await kindsOf(second)).toEqual(['payment_of_another']);
    expect(await attemptOf(second)).toMatchObject({ status: 'unknown', needs_operator: true });
  });
});

describe('an event that disagrees', () => {
  it.each([
    ['amount', { amountMinor: 12_500_000n }],
    ['currency', { currency: 'EUR' }],
    ['payment', { providerPayoutId: 'po_other' }],
  ] as const)('about the %s moves nothing, is recorded once, in any order', async (kind, lie) => {
    const [before, after] = [await handedOver('ok'), await handedOver('ok')];
    for (const _ of [1, 2]) expect(await tell(before, { type: 'settled', ...lie })).toBe('applied');
    expect(await stateOf(before)).toBe('approved');
    await tell(before, { type: 'settled' });
    await tell(after, { type: 'settled' });
    await tell(after, { type: 'settled', ...lie });
    for (const id of [before, after]) {
      expect(await stateOf(id)).toBe('settled');
      expect(await recorded(id)).toMatchObject([{ kind, source: 'event' }]);
      expect(await attemptOf(id)).toMatchObject({ status: 'submitted', needs_operator: true });
    }
    // What a person has examined is no news when it is said again.
    await examine(after, 'as_recorded');
    expect(await tell(after, { type: 'settled', ...lie })).toBe('ignored');
    expect(await attemptOf(after)).toMatchObject({ needs_operator: false });
  });

  it('does not accept an attempt whose outcome is not known', async () => {
    const id = await handedOver('unknown_taken');
    await tell(id, { type: 'acknowledged', amountMinor: 1n });
    expect(await attemptOf(id)).toMatchObject({ status: 'unknown', needs_operator: true });
    expect(await kindsOf(id)).toEqual(['amount']);
  });
});

describe('money that moves after its end', () => {
  const failed = {
    type: 'failed',
    occurredAt: at(1),
    failure: { code: 'other', message: 'x' },
  } as const;
  const late = { type: 'disbursed', occurredAt: at(2) } as const;

  it('refuses a replacement until a person has looked', async () => {
    const id = await handedOver('ok');
    await tell(id, failed);
    await tell(id, late);
    await tell(id, late);
    expect(await stateOf(id)).toBe('failed');
    expect(await recorded(id)).toMatchObject([{ kind: 'outcome', said: `disbursed ${at(2)}` }]);
    const refused = await replacing(id);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'PREDECESSOR_NOT_REPLACEABLE']);
    expect(refused.body.error.message).toContain('once an operator has found');
    expect(refused.text).not.toContain('simulator');
    await examine(id, 'as_recorded');
    expect((await replacing(id)).status).toBe(201);
  });

  it('is never replaced when a person found that it was paid', async () => {
    const id = await handedOver('ok');
    await tell(id, failed);
    await tell(id, late);
    await examine(id, 'paid_otherwise');
    const refused = await replacing(id);
    expect(refused.body.error.code).toBe('PREDECESSOR_NOT_REPLACEABLE');
  });

  it('comes to the same when the later event is heard first', async () => {
    const id = await handedOver('ok');
    await tell(id, late);
    await tell(id, failed);
    expect(await stateOf(id)).toBe('disbursed');
    expect(await kindsOf(id)).toEqual(['outcome']);
    expect((await replacing(id)).body.error.code).toBe('PREDECESSOR_NOT_REPLACEABLE');
  });

  it('leaves a replacement that exists unapproved', async () => {
    const id = await handedOver('ok');
    await tell(id, failed);
    const { key } = world.tenant;
    const made = await replacing(id);
    const replacement: string = made.body.payout.id;
    await tell(id, late);
    const approval = await world.harness.rest('POST', `/v1/payouts/${replacement}/approve`, {
      key,
    });
    expect([approval.status, approval.body.error.code]).toEqual([
      422,
      'PREDECESSOR_NOT_REPLACEABLE',
    ]);
    expect(await stateOf(replacement)).toBe('pending_approval');
    await examine(id, 'as_recorded');
    await approve(replacement);
    expect(await stateOf(replacement)).toBe('approved');
  });

  it('leaves an approved replacement, and what replaces that, with us', async () => {
    const id = await handedOver('ok');
    await tell(id, failed);
    const made = await replacing(id, 'auto');
    const replacement: string = made.body.payout.id;
    await tell(id, late);
    const before = world.provider.submissions.length;
    await disbursePayout(world.call, replacement);
    expect(world.provider.submissions).toHaveLength(before);
    expect(await stateOf(replacement)).toBe('approved');
    await examine(id, 'as_recorded');
    await disbursePayout(world.call, replacement);
    expect(world.provider.submissions).toHaveLength(before + 1);
    await tell(replacement, failed);
    // The provider thinks of the first one again.
    await tell(id, { ...late, occurredAt: at(3) });
    expect((await replacing(replacement)).body.error.code).toBe('PREDECESSOR_NOT_REPLACEABLE');
  });

  it('does not send a replacement again whose first call was lost', async () => {
    const id = await handedOver('ok');
    await tell(id, failed);
    const made = await replacing(id, 'auto');
    world.provider.fates.push('unknown_lost');
    await disbursePayout(world.call, made.body.payout.id);
    await tell(id, late);
    const before = world.provider.submissions.length;
    await disbursePayout(world.call, made.body.payout.id);
    expect(world.provider.submissions).toHaveLength(before);
  });

  it('is noticed in a look-up by the time since when it is so', async () => {
    const id = await handedOver('ok');
    await tell(id, failed);
    const { tenantId } = world.tenant;
    await says(id, { status: 'processing', statusAt: at(0) });
    const { id: attemptId } = await attemptOf(id);
    await sql('UPDATE disbursement_attempt SET needs_operator = true WHERE id = $1', [attemptId]);
    const look = () =>
      sql<{ id: string }>(`SELECT ops.look_up_payout($1, 'case 17') AS id`, [id]).then(
        async ([row]) => {
          const { lookUpPayout } = await import('../../../src/domain/operator/look-up-payout.ts');
          const actionId = row?.id ?? '';
          await lookUpPayout(world.call.services, { tenantId, payoutId: id, actionId });
          const [line] = await sql<{ outcome: string }>(
            'SELECT outcome FROM ops.action_log WHERE id = $1',
            [actionId],
          );
          return line?.outcome;
        },
      );
    expect(await look()).not.toBe('contradicts');
    expect(await kindsOf(id)).toEqual([]);
    await says(id, { status: 'processing', statusAt: at(2) });
    expect(await look()).toBe('contradicts');
    expect(await kindsOf(id)).toEqual(['outcome']);
  });

  it.each([0, 2])(
    'is noticed in a look-up that says it was disbursed at second %s',
    async (second) => {
      const id = await handedOver('ok');
      await says(id, { status: 'disbursed', statusAt: at(second) });
      await asksAgain(id);
      expect(await stateOf(id)).toBe('disbursed');
      await tell(id, failed);
      // The provider's clock says which came later; a person looks in any case.
      expect(await stateOf(id)).toBe(second === 0 ? 'failed' : 'disbursed');
      expect(await kindsOf(id)).toEqual(['outcome']);
      expect((await replacing(id)).body.error.code).toBe('PREDECESSOR_NOT_REPLACEABLE');
    },
  );
});

describe('a submission', () => {
  it('that is refused of what the provider said to have calls a person', async () => {
    const id = await approved();
    const { port } = world.provider;
    world.provider.fates.push('rejected');
    const submit = port.submit.bind(port);
    port.submit = async (request) => {
      await tell(id, { type: 'disbursed' });
      return submit(request);
    };
    await disbursePayout(world.call, id);
    expect(await stateOf(id)).toBe('disbursed');
    expect(await recorded(id)).toMatchObject([
      { kind: 'refused', source: 'submission', said: 'refused' },
    ]);
    expect(await attemptOf(id)).toMatchObject({ status: 'submitted', needs_operator: true });
  });

  it('that is refused says nothing of a later one that the provider took', async () => {
    const id = await approved();
    const { port } = world.provider;
    const submit = port.submit.bind(port);
    port.submit = async () => {
      port.submit = submit;
      await sql(`UPDATE disbursement_attempt SET called_at = called_at - interval '1 hour'`);
      await disbursePayout(world.call, id);
      throw new ProviderError('rejected', 'provider_rejected', 'refused');
    };
    await disbursePayout(world.call, id);
    expect(world.provider.submissions).toHaveLength(1);
    expect(await recorded(id)).toEqual([]);
    expect(await attemptOf(id)).toMatchObject({ status: 'submitted', needs_operator: false });
    expect(await stateOf(id)).toBe('approved');
  });
});

describe('a look-up', () => {
  it('that finds two payments moves nothing and calls a person', async () => {
    const id = await handedOver('ok');
    const reference = await says(id, { status: 'settled' });
    const { id: attemptId } = await attemptOf(id);
    const second: ProviderPayout = {
      providerPayoutId: 'po_second',
      reference,
      amountMinor: 125_000n,
      currency: 'USD',
      status: 'settled',
      statusAt: at(0),
      railRef: null,
      failure: null,
    };
    world.provider.further.set(reference, [second]);
    await asksAgain(id);
    expect(await stateOf(id)).toBe('approved');
    expect(await recorded(id)).toEqual([
      {
        kind: 'second_payment',
        source: 'look_up',
        said: `2: po_${attemptId} settled, po_second settled`,
      },
    ]);
    // The events of the payment that we know of are still believed.
    await tell(id, { type: 'settled' });
    expect(await stateOf(id)).toBe('settled');
  });

  it.each([
    ['amount', { amountMinor: 1n }],
    ['currency', { currency: 'EUR' }],
    ['payment', { providerPayoutId: 'po_other' }],
    ['reference', { reference: 'ten_x.dat_x' }],
  ] as const)('that disagrees about the %s moves nothing', async (kind, lie) => {
    const id = await handedOver('ok');
    await says(id, { status: 'settled', ...lie });
    await asksAgain(id);
    expect(await stateOf(id)).toBe('approved');
    expect(await recorded(id)).toMatchObject([{ kind, source: 'look_up' }]);
  });

  it('of an attempt whose outcome is not known accepts nothing that disagrees', async () => {
    const id = await handedOver('unknown_taken');
    await says(id, { amountMinor: 1n });
    await disbursePayout(world.call, id);
    expect(await attemptOf(id)).toMatchObject({ status: 'unknown', needs_operator: true });
    expect(await kindsOf(id)).toEqual(['amount']);
    expect(world.provider.submissions).toHaveLength(1);
  });
});
