import { beforeEach, describe, expect, it } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { applyProviderEvent } from '../../../src/domain/provider-event/apply.ts';
import { deleteExpired } from '../../../src/domain/retention/delete-expired.ts';
import { makeReference } from '../../../src/providers/reference.ts';
import { newId } from '../../../src/values/ids.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { placesOf } from '../../support/planted.ts';

/*
 * What a provider says of a payee in its own words waits in the inbox until it is applied. Some of it never is: its
 * subject is not there, or it comes too early for ever.
 */
const world = usePayoutWorld();
const provider = 'simulator';
const secret = 'Sesamstrasse';

/** The last try but none: one more, and an event is given up. */
const triesBefore = 19;

const payoutEvent = {
  kind: 'payout',
  type: 'released',
  occurredAt: '2026-11-21T10:00:00.000Z',
  providerPayoutId: 'po_1',
  amountMinor: '1250',
  currency: 'USD',
  railRef: null,
  expectedDeliveryDate: null,
  failure: { code: 'other', message: `${secret} 1 is not her address` },
};
const recipientEvent = {
  kind: 'recipient',
  type: 'suspended',
  occurredAt: '2026-11-21T10:00:00.000Z',
  recipientId: 'rcp_1',
  reason: `${secret} 1 is not her address`,
};

async function store(event: object, subject: string, status: string, tries = 0): Promise<string> {
  const id = newId('event');
  const reference = makeReference(world.tenant.tenantId, subject);
  await world.sql(
    `INSERT INTO provider_event (provider, event_id, event, status, tries) VALUES ($1, $2, $3, $4, $5)`,
    [provider, id, JSON.stringify({ ...event, eventId: id, reference }), status, tries],
  );
  return id;
}

beforeEach(() => world.sql('DELETE FROM provider_event'));

const places = () => placesOf(world.harness.database.pool, secret);
const erase = async () => {
  const path = `/v1/beneficiaries/${world.payee.beneficiaryId}/erase`;
  const body = { ground: 'payee_request' };
  const answer = await world.harness.rest('POST', path, { key: world.tenant.key, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.erasure.kind as string;
};
const eventOf = async (id: string) =>
  (
    await world.sql<{ status: string; event: Record<string, unknown> }>(
      'SELECT status, event FROM provider_event WHERE event_id = $1',
      [id],
    )
  )[0];

describe('of a payee who was paid', () => {
  let attempt: string;
  let enrollment: string;
  beforeEach(async () => {
    const payout = await world.approved();
    await disbursePayout(world.call, payout);
    await world.tell(payout, { type: 'settled' });
    const [one] = await world.sql<{ id: string }>(
      'SELECT id FROM disbursement_attempt WHERE payout_id = $1',
      [payout],
    );
    const [other] = await world.sql<{ id: string }>(
      'SELECT id FROM enrollment WHERE beneficiary_id = $1',
      [world.payee.beneficiaryId],
    );
    attempt = one?.id ?? '';
    enrollment = other?.id ?? '';
  });

  it.each(['received', 'unmatched'])(
    'an erasure clears the words of events that are %s',
    async (status) => {
      const ids = [
        await store(payoutEvent, attempt, status),
        await store(recipientEvent, enrollment, status),
      ];
      const strangers = await store(payoutEvent, newId('disbursementAttempt'), status);
      expect(await places()).toEqual(['provider_event.event']);
      expect(await erase()).toBe('erased');
      for (const id of ids) {
        const kept = await eventOf(id);
        expect(JSON.stringify(kept?.event)).not.toContain(secret);
        expect(kept).toMatchObject({ status, event: { occurredAt: payoutEvent.occurredAt } });
      }
      expect(JSON.stringify(await eventOf(strangers))).toContain(secret);
    },
  );

  it('one that is given up after the erasure loses them with the next sweep', async () => {
    expect(await erase()).toBe('erased');
    // The others have been looked at.
    await world.sql(`UPDATE provider_event SET received_at = now() - interval '1 day'`);
    const id = await store(payoutEvent, attempt, 'unmatched');
    await deleteExpired(world.harness.services);
    expect(await places()).toEqual([]);
    expect(await eventOf(id)).toMatchObject({ event: { failure: { code: 'other' } } });
  });
});

describe('of a payee who was deleted', () => {
  it('an event that is given up keeps none, since nobody is left whose erasure would clear them', async () => {
    expect(await erase()).toBe('deleted');
    const id = await store(recipientEvent, newId('enrollment'), 'received', triesBefore - 1);
    await applyProviderEvent(world.call.services, provider, id);
    expect((await eventOf(id))?.status).toBe('received');
    await applyProviderEvent(world.call.services, provider, id);
    const kept = await eventOf(id);
    expect(kept).toMatchObject({ status: 'unmatched', event: { type: 'suspended', reason: '' } });
    expect(await places()).toEqual([]);
  });
});
