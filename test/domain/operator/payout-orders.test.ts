import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { lookUpPayout } from '../../../src/domain/operator/look-up-payout.ts';
import { resolvePayout } from '../../../src/domain/operator/resolve-payout.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import type { ProviderPayout } from '../../../src/providers/port.ts';
import { makeReference } from '../../../src/providers/reference.ts';
import { eventId } from '../../support/fake-provider.ts';
import { usePayoutWorld, type Told } from '../../support/payout-world.ts';

const world = usePayoutWorld({ env: { LOG_LEVEL: 'silent' } });
const { approved, attemptOf, eventsOf, handedOver, sql, stateOf, tell } = world;

/** An order as the operators' SQL functions write it. */
async function order(action: string, payoutId: string, detail: object = {}) {
  const { tenantId } = world.tenant;
  const [row] = await sql<{ id: string }>(
    `INSERT INTO ops.action_log (who, action, tenant_id, subject_id, reason, detail, affected)
     VALUES ('ada', $1, $2, $3, 'case 17', $4, 1) RETURNING id`,
    [action, tenantId, payoutId, detail],
  );
  return { tenantId, payoutId, actionId: row?.id ?? '' };
}

async function outcomeOf(actionId: string): Promise<string | null> {
  const [row] = await sql<{ outcome: string | null; done: boolean }>(
    'SELECT outcome, outcome_at IS NOT NULL AS done FROM ops.action_log WHERE id = $1',
    [actionId],
  );
  expect(row?.done).toBe(row?.outcome !== null);
  return row?.outcome ?? null;
}

async function lookUp(payoutId: string): Promise<string | null> {
  const ref = await order('look_up_payout', payoutId);
  await lookUpPayout(world.call.services, ref);
  return outcomeOf(ref.actionId);
}

const paid = (providerPayoutId = `po_${randomUUID()}`) => ({
  outcome: 'paid',
  provider_payout_id: providerPayoutId,
  evidence: 'statement',
});
const notPaid = { outcome: 'not_paid', provider_payout_id: null, evidence: 'their support' };

async function resolve(payoutId: string, detail: object): Promise<string | null> {
  const ref = await order('resolve_payout', payoutId, detail);
  await resolvePayout(world.call.services, ref);
  return outcomeOf(ref.actionId);
}

async function says(payoutId: string, told: Partial<ProviderPayout>): Promise<void> {
  const { id } = await attemptOf(payoutId);
  world.provider.found.set(makeReference(world.tenant.tenantId, id), told);
}

/** A payout that the provider does not have and whose key window is closed, so that it waits for an operator. */
async function waiting(): Promise<string> {
  const id = await handedOver('unknown_lost');
  await sql('UPDATE disbursement_attempt SET key_expires_at = now() WHERE payout_id = $1', [id]);
  await disbursePayout(world.call, id);
  expect(await attemptOf(id)).toMatchObject({ status: 'unknown', needs_operator: true });
  return id;
}

const lastRecord = async (payoutId: string) =>
  (
    await sql(
      'SELECT to_state, actor, reason FROM payout_transition WHERE payout_id = $1 ORDER BY seq DESC LIMIT 1',
      [payoutId],
    )
  )[0];
const ada = { type: 'operator', login: 'ada' };

/** Transitions, records and the events due for them agree, and the provider took at most one payment. */
async function expectConsistent(payoutId: string): Promise<void> {
  const [counts] = await sql(
    `SELECT p.transition_count - (SELECT count(*) FROM payout_transition t WHERE t.tenant_id = p.tenant_id AND t.payout_id = p.id)::int AS records,
       (SELECT count(*) FROM payout_transition t WHERE t.tenant_id = p.tenant_id AND t.payout_id = p.id
          AND t.to_state IN ('disbursed', 'settled', 'failed', 'returned'))::int
       - (SELECT count(*) FROM event e WHERE e.tenant_id = p.tenant_id AND e.payout_id = p.id
          AND e.type IN ('payout.disbursed', 'payout.settled', 'payout.failed', 'payout.returned'))::int AS events,
       (SELECT count(*) FROM disbursement_attempt a WHERE a.tenant_id = p.tenant_id AND a.payout_id = p.id AND a.status <> 'rejected')::int
       > 1 AS double
     FROM payout p WHERE p.id = $1`,
    [payoutId],
  );
  expect(counts).toEqual({ records: 0, events: 0, double: false });
  expect(world.provider.ledger.size).toBeLessThanOrEqual(1);
}

describe('a look-up', () => {
  it.each([
    ['processing', 'approved', 'nothing_new'],
    ['disbursed', 'disbursed', 'applied'],
    ['settled', 'settled', 'applied'],
    ['failed', 'failed', 'applied'],
  ] as const)('applies that a payment is %s', async (status, state, outcome) => {
    const id = await handedOver('ok');
    await says(id, { status });
    expect(await lookUp(id)).toBe(outcome);
    expect(await stateOf(id)).toBe(state);
    expect(world.provider.submissions).toHaveLength(1);
    await expectConsistent(id);
    if (outcome === 'applied') {
      expect(await lastRecord(id)).toEqual({ to_state: state, actor: ada, reason: 'case 17' });
      expect(await lookUp(id)).toBe(state === 'failed' ? 'no_attempt' : 'nothing_new');
    }
  });

  it('applies the answer for an unknown outcome', async () => {
    const id = await handedOver('unknown_taken');
    expect(await lookUp(id)).toBe('applied');
    expect(await attemptOf(id)).toMatchObject({ status: 'submitted' });
    expect(await eventsOf(id)).toEqual(['payout.disbursement_submitted']);
  });

  it('changes and sends nothing if the provider has no such payment', async () => {
    const id = await waiting();
    expect(await lookUp(id)).toBe('not_at_provider');
    expect(await stateOf(id)).toBe('approved');
    expect(await attemptOf(id)).toMatchObject({ status: 'unknown', needs_operator: true });
    expect(world.provider.submissions).toHaveLength(1);
  });

  it('calls for a person if the provider lost the payment or does not answer', async () => {
    const id = await handedOver('ok');
    world.provider.down = true;
    expect(await lookUp(id)).toBe('no_answer');
    world.provider.down = false;
    (world.provider.ledger as Map<string, unknown>).clear();
    expect(await lookUp(id)).toBe('contradicts');
    expect(await attemptOf(id)).toMatchObject({ status: 'submitted', needs_operator: true });
    expect(await lookUp(await approved())).toBe('no_attempt');
  });

  it.each(['disbursed', 'settled', 'returned'] as const)(
    'that was on its way when the attempt was refused moves nothing: %s',
    async (status) => {
      const id = await handedOver('unknown_lost');
      const { id: attemptId } = await attemptOf(id);
      const { lookUp: ask } = world.provider.port;
      vi.spyOn(world.provider.port, 'lookUp').mockImplementationOnce(async (request) => {
        // The call was repeated in the meantime and was definitely refused.
        world.provider.fates.push('rejected');
        await disbursePayout(world.call, id);
        expect(await ask(request)).toEqual([]);
        const [asked] = await sql<{ amount_minor: string; currency: string }>(
          'SELECT amount_minor::text, currency FROM disbursement_attempt WHERE id = $1',
          [attemptId],
        );
        return [
          {
            providerPayoutId: `po_${attemptId}`,
            reference: request.reference,
            amountMinor: BigInt(asked?.amount_minor ?? 0),
            currency: asked?.currency ?? '',
            status,
            statusAt: new Date().toISOString(),
            railRef: 'RAIL-1',
            failure: null,
          },
        ];
      });
      await lookUp(id);
      const facts = await sql(
        `SELECT p.state, p.transition_count, a.status,
           concat(p.rail_ref, p.disbursed_at, p.settled_at, p.provider_payout_id,
             a.submitted_at, a.provider_payout_id) AS learned
         FROM payout p JOIN disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id WHERE p.id = $1`,
        [id],
      );
      expect(facts).toEqual([
        { state: 'failed', transition_count: 2, status: 'rejected', learned: '' },
      ]);
      expect(await eventsOf(id)).toEqual(['payout.failed']);
    },
  );

  it('is carried out once, however often its job runs', async () => {
    const id = await handedOver('ok');
    await says(id, { status: 'disbursed' });
    const ref = await order('look_up_payout', id);
    const run = () => lookUpPayout(world.call.services, ref);
    await Promise.all([run(), run(), run()]);
    await says(id, { status: 'settled' });
    await run();
    expect(await stateOf(id)).toBe('disbursed');
    await expectConsistent(id);
  });
});

describe('a resolution', () => {
  it('makes a payout disbursed under the id that the operator found', async () => {
    const id = await waiting();
    const payment = paid(`po_${(await attemptOf(id)).id}`);
    expect(await resolve(id, payment)).toBe('paid');
    expect(await readPayout(world.call, id)).toMatchObject({
      state: 'disbursed',
      providerPayoutId: payment.provider_payout_id,
      failureCode: null,
    });
    expect(await attemptOf(id)).toMatchObject({ status: 'submitted', needs_operator: false });
    expect(await lastRecord(id)).toEqual({
      to_state: 'disbursed',
      actor: ada,
      reason: 'case 17',
    });
    expect(await eventsOf(id)).toEqual(['payout.disbursement_submitted', 'payout.disbursed']);
    await expectConsistent(id);
    // A later answer of the provider is applied as usual.
    expect(await tell(id, { type: 'settled' })).toBe('applied');
    expect(await stateOf(id)).toBe('settled');
  });

  it('makes a payout failed, which can then be replaced', async () => {
    const id = await waiting();
    expect(await resolve(id, notPaid)).toBe('not_paid');
    expect(await readPayout(world.call, id)).toMatchObject({
      state: 'failed',
      failureCode: 'other',
      liveAttemptId: null,
    });
    expect(await attemptOf(id)).toMatchObject({ status: 'rejected', needs_operator: false });
    expect(await lastRecord(id)).toMatchObject({ to_state: 'failed', actor: ada });
    expect(await eventsOf(id)).toEqual(['payout.failed']);
    await disbursePayout(world.call, id);
    expect(world.provider.submissions).toHaveLength(1);
    await expectConsistent(id);
    // The provider says that it was paid after all: nothing moves, and it waits for a person again.
    expect(await tell(id, { type: 'settled' })).toBe('applied');
    expect(await stateOf(id)).toBe('failed');
    expect(await attemptOf(id)).toMatchObject({ status: 'rejected', needs_operator: true });
    // The person has examined it.
    expect(await resolve(id, paid())).toBe('noted');
    expect(await attemptOf(id)).toMatchObject({ status: 'rejected', needs_operator: false });
    expect(await stateOf(id)).toBe('failed');
  });

  it('is overruled by a provider that has the payment', async () => {
    const id = await handedOver('unknown_taken');
    await says(id, { status: 'settled' });
    expect(await resolve(id, notPaid)).toBe('provider_answered');
    expect(await stateOf(id)).toBe('settled');
    expect(await resolve(id, notPaid)).toBe('not_open');
    await expectConsistent(id);
  });

  it('needs no further look if the provider says the same', async () => {
    const [lost, failed] = [await handedOver('ok'), await handedOver('ok')];
    for (const id of [lost, failed]) await says(id, { status: 'failed' });
    await tell(failed, { type: 'failed', failure: { code: 'other', message: 'x' } });
    await sql('UPDATE disbursement_attempt SET needs_operator = true WHERE payout_id = ANY ($1)', [
      [lost, failed],
    ]);
    expect(await resolve(lost, notPaid)).toBe('provider_answered');
    expect(await resolve(failed, notPaid)).toBe('noted');
    for (const id of [lost, failed]) {
      expect(await stateOf(id)).toBe('failed');
      expect(await attemptOf(id)).toMatchObject({ needs_operator: false });
    }
  });

  it('waits for a person if the provider accepts the payment while it is called unpaid', async () => {
    const id = await handedOver('unknown_lost');
    const { port } = world.provider;
    const submit = port.submit.bind(port);
    vi.spyOn(port, 'submit').mockImplementationOnce(async (request) => {
      await sql(`UPDATE disbursement_attempt SET status = 'unknown' WHERE payout_id = $1`, [id]);
      expect(await resolve(id, notPaid)).toBe('not_paid');
      return submit(request);
    });
    await disbursePayout(world.call, id);
    expect(await stateOf(id)).toBe('failed');
    expect(await attemptOf(id)).toMatchObject({ status: 'rejected', needs_operator: true });
  });

  it('does not record as unpaid what the provider is processing', async () => {
    const id = await handedOver('ok');
    await sql('UPDATE disbursement_attempt SET needs_operator = true WHERE payout_id = $1', [id]);
    expect(await resolve(id, notPaid)).toBe('provider_has_it');
    expect(await stateOf(id)).toBe('approved');
    expect(await resolve(id, paid())).toBe('paid');
    expect(await stateOf(id)).toBe('disbursed');
    await expectConsistent(id);
  });

  it('changes nothing if the provider was called again while it was asked', async () => {
    const id = await handedOver('unknown_lost');
    const { port, fates } = world.provider;
    const lookUp = port.lookUp.bind(port);
    const asked = vi.spyOn(port, 'lookUp').mockImplementationOnce(async (request) => {
      const found = await lookUp(request);
      fates.push('unknown_taken');
      await disbursePayout(world.call, id);
      return found;
    });
    expect(await resolve(id, notPaid)).toBe('not_open');
    asked.mockRestore();
    expect(await stateOf(id)).toBe('approved');
    expect(await resolve(id, notPaid)).toBe('provider_answered');
    await expectConsistent(id);
  });

  it('resolves a payment that the provider accepted and lost', async () => {
    const id = await handedOver('ok');
    (world.provider.ledger as Map<string, unknown>).clear();
    await lookUp(id);
    expect(await resolve(id, notPaid)).toBe('not_paid');
    expect(await stateOf(id)).toBe('failed');
    await expectConsistent(id);
  });

  it('changes nothing if no outcome is open', async () => {
    const [none, done] = [await approved(), await handedOver('ok')];
    for (const id of [none, done]) {
      expect(await resolve(id, notPaid)).toBe('not_open');
      expect(await stateOf(id)).toBe('approved');
    }
    const refused = await handedOver('rejected');
    expect(await resolve(refused, paid())).toBe('not_open');
    expect(await stateOf(refused)).toBe('failed');
  });

  it('is applied without an answer of the provider if it is paid, and not if it is not_paid', async () => {
    const [id, other] = [await waiting(), await waiting()];
    world.provider.down = true;
    expect(await resolve(id, { ...paid(), provider_payout_id: null })).toBe(
      'provider_payout_id_missing',
    );
    expect(await resolve(id, { outcome: 'perhaps' })).toBe('detail_invalid');
    expect(await resolve(id, notPaid)).toBe('no_answer');
    expect(await stateOf(id)).toBe('approved');
    expect(await attemptOf(id)).toMatchObject({ status: 'unknown' });
    const payment = paid();
    expect(await resolve(id, payment)).toBe('paid');
    expect(await resolve(other, payment)).toBe('provider_payout_id_taken');
    expect(await stateOf(other)).toBe('approved');
    world.provider.down = false;
    expect(await resolve(other, notPaid)).toBe('not_paid');
  });

  it('is carried out once, and only for the payout and the action that it names', async () => {
    const [id, other] = [await waiting(), await approved()];
    const ref = await order('resolve_payout', id, notPaid);
    const run = (wrong: Partial<typeof ref> = {}) =>
      resolvePayout(world.call.services, { ...ref, ...wrong });
    await run({ payoutId: other });
    await lookUpPayout(world.call.services, ref);
    expect(await outcomeOf(ref.actionId)).toBeNull();
    await Promise.all([run(), run(), run()]);
    await run();
    expect(await outcomeOf(ref.actionId)).toBe('not_paid');
    await expectConsistent(id);
  });

  it.each(['paid', 'not_paid'] as const)(
    'and events of the provider at once (%s) end in one truth',
    async (outcome) => {
      for (let round = 0; round < 12; round += 1) {
        const id = await waiting();
        const { id: attemptId } = await attemptOf(id);
        const told: Told[] = (
          [{ type: 'acknowledged' }, { type: 'disbursed' }, { type: 'settled' }] as const
        ).map((event) => ({ ...event, eventId: eventId() }));
        await Promise.all([
          resolve(id, outcome === 'paid' ? paid(`po_${attemptId}`) : notPaid),
          ...told.map((event) => world.tellOf(attemptId, event)),
          disbursePayout(world.call, id),
        ]);
        await expectConsistent(id);
        const attempt = await attemptOf(id);
        const state = await stateOf(id);
        // Either the provider's answer came first and counts, or the operator's did and it waits for a person.
        if (state === 'failed') {
          expect(attempt).toMatchObject({ status: 'rejected', needs_operator: true });
        } else {
          expect([state, attempt.status]).toEqual(['settled', 'submitted']);
        }
        if (outcome === 'paid') expect(state).toBe('settled');
      }
    },
  );

  it('that runs beside a repeated call pays at most once', async () => {
    for (let round = 0; round < 8; round += 1) {
      const id = await handedOver('unknown_lost');
      const before = world.provider.ledger.size;
      await Promise.all([resolve(id, notPaid), disbursePayout(world.call, id)]);
      const taken = world.provider.ledger.size - before;
      const attempt = await attemptOf(id);
      const failed = (await stateOf(id)) === 'failed';
      expect([taken, attempt.status]).toEqual(failed ? [0, 'rejected'] : [1, 'submitted']);
    }
  });
});
