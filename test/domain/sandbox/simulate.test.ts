import { expect, it } from 'vitest';
import { performSimulation, simulatePayout } from '../../../src/domain/sandbox/simulate.ts';
import { simulatedEvents, type SimulatedEvent } from '../../../src/values/simulated-event.ts';
import { ProviderError } from '../../../src/providers/port.ts';
import { makeReference } from '../../../src/providers/reference.ts';
import type { Call } from '../../../src/process/services.ts';
import { newId } from '../../../src/values/ids.ts';
import { systemCall } from '../../support/fake-provider.ts';
import { makeTenant } from '../../support/factory.ts';
import { codeOf, memberCall, move, newPayout, refusalOf } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const simulate = (id: string, event: SimulatedEvent, call = world.call) =>
  simulatePayout(call, id, { event });

async function jobs(id: string): Promise<string[]> {
  const rows = await world.sql<{ event: string }>(
    `SELECT payload ->> 'event' AS event FROM graphile_worker._private_jobs
     WHERE payload ->> 'payoutId' = $1 AND payload ->> 'event' IS NOT NULL`,
    [id],
  );
  return rows.map(({ event }) => event);
}

const atProvider = simulatedEvents.filter((event) => event !== 'hold' && event !== 'release');

it('leaves to the simulator what the provider tells, and moves nothing itself', async () => {
  const id = await world.handedOver('ok');
  for (const event of ['acknowledge', 'estimate', 'disburse', 'fail'] as const) {
    expect(await simulate(id, event)).toMatchObject({ id, state: 'approved' });
  }
  expect(await jobs(id)).toEqual(['acknowledge', 'estimate', 'disburse', 'fail']);
});

it.each(atProvider)('refuses %s of a payout that the provider does not have', async (event) => {
  const { code, message } = await refusalOf(simulate(await world.approved(), event));
  expect([code, message]).toEqual([
    'INVALID_STATE_TRANSITION',
    `A payout that is approved and not handed over permits no ${event}.`,
  ]);
});

it.each(['settle', 'return'] as const)('refuses %s before the disbursement', async (event) => {
  const id = await world.handedOver('ok');
  expect(await codeOf(simulate(id, event))).toBe('INVALID_STATE_TRANSITION');
  await move(world.call, id, { trigger: 'disburse' });
  await simulate(id, event);
  expect(await jobs(id)).toEqual([event]);
});

it('holds and releases in the name of the provider what it does not have', async () => {
  const id = await newPayout(world.call, world.payee);
  expect(await codeOf(simulate(id, 'release'))).toBe('INVALID_STATE_TRANSITION');
  expect((await simulate(id, 'hold')).state).toBe('compliance_hold');
  expect((await simulate(id, 'release')).state).toBe('pending_approval');
  const records = await world.sql(
    `SELECT actor ->> 'type' AS type, reason FROM payout_transition WHERE payout_id = $1 AND seq > 1
     ORDER BY seq`,
    [id],
  );
  expect(records).toEqual([
    { type: 'provider', reason: 'simulated hold' },
    { type: 'provider', reason: 'simulated release' },
  ]);
});

it('releases no hold of a suspension', async () => {
  const id = await newPayout(world.call, world.payee);
  await move(world.call, id, { trigger: 'hold', cause: 'beneficiary_suspended' });
  expect(await codeOf(simulate(id, 'release'))).toBe('INVALID_STATE_TRANSITION');
});

/** A call with a simulator that notes what it is told, and answers with these errors first. */
function told(errors: Error[] = []): { call: Call; said: unknown[] } {
  const said: unknown[] = [];
  const hear = (...words: unknown[]) => {
    said.push(words);
    const error = errors.shift();
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  };
  const { services } = world.call;
  const sandboxControl = { simulate: hear, releaseHeld: hear };
  const providers = { ...services.providers, sandboxControl };
  return { call: { ...world.call, services: { ...services, providers } }, said };
}

it('tells the simulator of the payment, or of the attempt that it holds', async () => {
  const { call, said } = told();
  const id = await world.handedOver('ok');
  const attempt = await world.attemptOf(id);
  await performSimulation(call, id, 'settle');
  const held = await world.handedOver('held');
  expect(await simulate(held, 'release')).toMatchObject({ state: 'compliance_hold' });
  expect(await jobs(held)).toEqual(['release']);
  await performSimulation(call, held, 'release');
  const reference = makeReference(world.tenant.tenantId, (await world.attemptOf(held)).id);
  expect(said).toEqual([[attempt.provider_payout_id, 'settle'], [reference]]);
});

it('tells it nothing of what it does not have, or does not hold by now', async () => {
  const { call, said } = told();
  const id = await newPayout(world.call, world.payee);
  await performSimulation(call, id, 'settle');
  await performSimulation(call, id, 'release');
  await move(world.call, id, { trigger: 'hold' });
  await performSimulation(call, id, 'release');
  expect(said).toEqual([]);
});

it('ends with a definite no of the simulator, and fails with any other error', async () => {
  const no = new ProviderError('rejected', 'provider_rejected', 'no');
  const away = new ProviderError('unknown', 'other', 'away');
  const { call } = told([no, away]);
  const id = await world.handedOver('ok');
  await performSimulation(call, id, 'settle');
  await expect(performSimulation(call, id, 'settle')).rejects.toBe(away);
});

it('is for those who may write payouts, in a sandbox, of a payout that is there', async () => {
  const id = await newPayout(world.call, world.payee);
  const viewer = await memberCall(world.call.services, world.tenant, 'viewer');
  expect(await codeOf(simulate(id, 'hold', viewer))).toBe('forbidden');
  const { tenantId } = await makeTenant(world.harness, { environment: 'production' });
  const production = await systemCall(world.call.services, tenantId);
  expect(await codeOf(simulate(id, 'hold', production))).toBe('SANDBOX_ONLY');
  await expect(performSimulation(production, id, 'settle')).rejects.toThrow('sandbox');
  expect(await codeOf(simulate(id, 'explode' as SimulatedEvent))).toBe('validation_failed');
  for (const unknown of [newId('payout'), 'pay_1']) {
    expect(await codeOf(simulate(unknown, 'settle'))).toBe('PAYOUT_NOT_FOUND');
    expect(await codeOf(simulate(unknown, 'hold'))).toBe('PAYOUT_NOT_FOUND');
  }
});
