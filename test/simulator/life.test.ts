import { afterEach, describe, expect, it } from 'vitest';
import { errorCode, eventually, recipientBody, startWorld } from '../providers/support.ts';
import type { World } from '../providers/support.ts';

describe("a payout's life at the simulator", () => {
  let world: World;
  afterEach(() => world.close());

  const act = (id: unknown, event: string, details: object = {}) =>
    world.call('POST', `/control/payouts/${String(id)}/events`, { event, ...details });

  it.each([
    ['6789', ['acknowledged', 'estimated', 'disbursed', 'settled'], 'settled', null],
    ['0001', ['acknowledged', 'failed'], 'failed', 'invalid_account'],
    ['0002', ['acknowledged', 'estimated', 'disbursed', 'returned'], 'returned', 'account_closed'],
    ['0003', ['acknowledged', 'failed'], 'failed', 'insufficient_provider_funds'],
  ])('follows the ending %s', async (ending, types, status, failure) => {
    world = await startWorld();
    const { body } = await world.payout(await world.recipient(ending), 'ref');
    await eventually(() => {
      expect(world.receiver.types()).toEqual(types.map((type) => `payout.${type}`));
    });
    const payout = (await world.call('GET', `/payouts/${String(body.id)}`)).body;
    expect(payout.status).toBe(status);
    expect((payout.failure as { code: string } | null)?.code ?? null).toBe(failure);
    for (const { event, verification } of world.receiver.received) {
      expect(verification).toBe('valid');
      expect(event.id).toMatch(/^sev_/);
      expect(event.data).toMatchObject({ payout_id: body.id, reference: 'ref' });
    }
    // The rail's reference exists from the submission to the rail on.
    const railRefs = world.receiver.received.map(({ event }) =>
      'rail_ref' in event.data ? event.data.rail_ref : undefined,
    );
    const disbursedAt = types.indexOf('disbursed');
    const expected = types.map((_, index) =>
      disbursedAt !== -1 && index >= disbursedAt ? payout.rail_ref : null,
    );
    expect(railRefs).toEqual(expected);
  });

  it('reads the ending of an IBAN without its spaces', async () => {
    world = await startWorld();
    const { destination, ...rest } = recipientBody('6789');
    const { account_number: _, ...iban } = { ...destination, iban: 'DE00 1234 5678 0000 00 04' };
    const refused = await world.call('POST', '/recipients', { ...rest, destination: iban }, 'k');
    expect([refused.status, errorCode(refused)]).toEqual([422, 'bank_rejected']);
  });

  it('refuses the ending 0004 at enrollment, each time it is asked', async () => {
    world = await startWorld();
    for (const key of ['k', 'k', 'other']) {
      const refused = await world.call('POST', '/recipients', recipientBody('0004'), key);
      expect([refused.status, errorCode(refused)]).toEqual([422, 'bank_rejected']);
    }
  });

  it.each(['reference', 'recipient_id'])(
    'holds the ending 0005 until a release by %s',
    async (by) => {
      world = await startWorld();
      const recipient = await world.recipient('0005');
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const held = await world.payout(recipient, 'ref');
        expect([held.status, errorCode(held)]).toEqual([422, 'compliance_hold']);
      }
      expect(await world.ledger()).toEqual([]);
      expect((await world.call('GET', '/payouts?reference=ref')).body).toEqual({ data: [] });
      await world.restart();
      const target = { [by]: by === 'reference' ? 'ref' : recipient };
      const released = await world.call('POST', '/control/releases', target);
      expect(released.body.data).toMatchObject([{ reference: 'ref', recipient_id: recipient }]);
      await eventually(() => expect(world.receiver.types()).toEqual(['payout.released']));
      const again = await world.call('POST', '/control/releases', target);
      expect(again.body).toEqual({ data: [] });
      await world.restart();
      expect((await world.payout(recipient, 'ref')).status).toBe(201);
      expect((await world.payout(recipient, 'another')).status).toBe(201);
    },
  );

  it('lets a control call make events happen, and permits only what the status permits', async () => {
    world = await startWorld({ stepDelayMs: 60_000 });
    const { id } = (await world.payout(await world.recipient(), 'ref')).body;
    expect((await act(id, 'settle')).status).toBe(409);
    const date = '2026-12-01T00:00:00Z';
    const estimated = await act(id, 'estimate', { expected_delivery_date: date });
    expect(estimated.body).toMatchObject({ status: 'processing', expected_delivery_date: date });
    expect((await act(id, 'hold')).body.status).toBe('held');
    expect((await act(id, 'disburse')).status).toBe(409);
    expect((await act(id, 'release')).body.status).toBe('processing');
    expect((await act(id, 'disburse')).body.status).toBe('disbursed');
    expect((await act(id, 'settle')).body.status).toBe('settled');
    const failure = { code: 'name_mismatch', message: 'Another name.' };
    expect((await act(id, 'return', { failure })).body).toMatchObject({
      status: 'returned',
      failure,
    });
    expect((await act(id, 'return')).status).toBe(409);
    expect((await act(id, 'explode')).status).toBe(400);
    expect((await act('po_nobody', 'hold')).status).toBe(404);
    await eventually(() => {
      expect(world.receiver.types()).toEqual(
        ['estimated', 'held', 'released', 'disbursed', 'settled', 'returned'].map(
          (type) => `payout.${type}`,
        ),
      );
    });
  });

  it('goes on by itself after a control call, without the steps that it passed', async () => {
    world = await startWorld({ stepDelayMs: 60_000 });
    const { id } = (await world.payout(await world.recipient(), 'ref')).body;
    await act(id, 'disburse');
    await world.restart({ stepDelayMs: 1 });
    await eventually(() => {
      expect(world.receiver.types()).toEqual(['payout.disbursed', 'payout.settled']);
    });
  });

  it('stops, closes and reinstates recipients', async () => {
    world = await startWorld({ stepDelayMs: 60_000 });
    const recipient = await world.recipient();
    const event = (name: string) =>
      world.call('POST', `/control/recipients/${recipient}/events`, { event: name, reason: 'why' });
    expect((await event('reinstate')).status).toBe(409);
    expect((await event('suspend')).body.status).toBe('suspended');
    expect(errorCode(await world.payout(recipient, 'r'))).toBe('recipient_suspended');
    expect((await event('reinstate')).body.status).toBe('active');
    expect((await world.payout(recipient, 'r')).status).toBe(201);
    expect((await event('close')).body.status).toBe('closed');
    expect(errorCode(await world.payout(recipient, 'r2'))).toBe('recipient_closed');
    expect((await world.payout(recipient, 'r')).status).toBe(200);
    await eventually(() => {
      expect(world.receiver.received.map(({ event: { type, data } }) => [type, data])).toEqual(
        ['suspended', 'reinstated', 'closed'].map((type) => [
          `recipient.${type}`,
          {
            recipient_id: recipient,
            reference: 'enr_1',
            status: type === 'reinstated' ? 'active' : type,
            reason: 'why',
          },
        ]),
      );
    });
  });
});
