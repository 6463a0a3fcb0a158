import { describe, expect, it } from 'vitest';
import { handlers } from '../../../jobs/handlers.ts';
import { createAuthenticate } from '../../../src/access/authenticate.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { changeBeneficiary } from '../../../src/domain/beneficiary/update.ts';
import { eventsOnRequest } from '../../../src/domain/event/on-request.ts';
import { changeStanding } from '../../../src/domain/screening/result-store.ts';
import { lockBeneficiary } from '../../../src/domain/beneficiary/store.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { registerSubscription } from '../../../src/domain/webhook/subscription/register.ts';
import { payoutBody } from '../../support/factory.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { loadOwn, ownList } from './support.ts';

const world = usePayoutWorld({ fresh: true, env: { WATCHLIST_STALE_DAYS: '365' } });
const { approve, approved, sql, stateOf } = world;

const listed = 'B-1,person,Ada Lovelace,,1990-04-01,US,,Fraud';

/** Loads a list and lets the clock and the jobs do what they do. */
async function load(...rows: readonly string[]): Promise<void> {
  const { services } = world.call;
  await loadOwn(services, ownList('B-0,person,Zebedee Quux,,,,,', ...rows), {
    acceptedBecause: 'by the test',
  });
  await handlers.rescreen({}, services);
  await handlers.rescreen_tenant({ tenantId: world.tenant.tenantId }, services);
}

const screen = (): Promise<void> =>
  handlers.screen_beneficiary(
    { tenantId: world.tenant.tenantId, beneficiaryId: world.payee.beneficiaryId },
    world.call.services,
  );

async function screening(): Promise<string | null> {
  const [row] = await sql<{ screening: string | null }>(
    'SELECT screening FROM beneficiary WHERE id = $1',
    [world.payee.beneficiaryId],
  );
  return row?.screening ?? null;
}

async function create(more: Record<string, unknown> = {}) {
  const answer = await world.harness.rest('POST', '/v1/payouts', {
    key: world.tenant.key,
    body: payoutBody(world.payee, more),
  });
  return { status: answer.status, state: answer.body.payout?.state as string | undefined, answer };
}

/** The causes in the records of a payout's transitions. */
const causesOf = async (id: string) =>
  (
    await sql<{ to_state: string; cause: string | null }>(
      'SELECT to_state, cause FROM payout_transition WHERE payout_id = $1 ORDER BY seq',
      [id],
    )
  ).map(({ to_state: state, cause }) => [state, cause]);

it('asks for no result while no list is loaded', async () => {
  await handlers.rescreen({}, world.call.services);
  expect(await sql('SELECT 1 FROM screening_policy')).toEqual([]);
  expect(await screening()).toBeNull();
  await screen();
  expect(await sql('SELECT 1 FROM screening_result')).toEqual([]);
  const id = await approved();
  await disbursePayout(world.call, id);
  expect(world.provider.submissions).toHaveLength(1);
});

describe('with a list that does not have the payee', () => {
  it('keeps what was asked for, encrypted, beside what was looked at', async () => {
    await load();
    expect(await screening()).toBe('clear');
    const [result] = await sql<{ lists: unknown; text: string }>(
      `SELECT cause, engine, lists, incomplete, hits, subject_ciphertext IS NOT NULL AS kept,
         screening_result::text AS text FROM screening_result`,
    );
    expect(result).toMatchObject({ cause: 'list', engine: 'embedded', incomplete: false, hits: 0 });
    expect(result?.lists).toMatchObject([
      { kind: 'own', state: 'current', sequence: 1, listedOn: '2026-08-21' },
    ]);
    expect(result?.text).not.toContain('Lovelace');
  });

  it('pays as before', async () => {
    await load();
    const id = await approved();
    await disbursePayout(world.call, id);
    expect(world.provider.submissions).toHaveLength(1);
  });

  it('hands nothing over while a changed payee is not screened again', async () => {
    await load(listed.replace('Ada', 'Eve'));
    const id = await approved();
    await changeBeneficiary(await memberCall(), world.payee.beneficiaryId, { firstName: 'Eve' });
    expect(await screening()).toBe('pending');
    await disbursePayout(world.call, id);
    expect([await stateOf(id), world.provider.submissions]).toEqual(['approved', []]);
    await screen();
    expect([await screening(), await stateOf(id)]).toEqual(['hit', 'compliance_hold']);
  });

  it('holds a payout whose result is too old, and releases it once there is another', async () => {
    await load();
    await sql(`UPDATE beneficiary SET screened_at = now() - interval '31 days'`);
    await sql(`UPDATE screening_policy SET confirmed_at = now() - interval '31 days'`);
    const { state, answer } = await create();
    expect([answer.status, state]).toEqual([201, 'compliance_hold']);
    const jobs = await sql(`SELECT 1 FROM job_outbox WHERE task = 'screen_beneficiary'
      UNION ALL SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'screen_beneficiary'`);
    expect(jobs.length).toBeGreaterThan(0);
    await screen();
    expect(await stateOf(answer.body.payout.id as string)).toBe('pending_approval');
  });
});

const memberCall = async () => {
  const found = await createAuthenticate(world.call.services.pool)(`Bearer ${world.tenant.key}`);
  if (found === null || !('tenantId' in found.caller)) throw new Error('the key does not work');
  return { services: world.call.services, scope: found.caller };
};

describe('with a list that has the payee', () => {
  it('holds what waits, whatever its state before the hand-over', async () => {
    const waiting = await create();
    const [ready, handed] = [await approved(), await approved()];
    await disbursePayout(world.call, handed);
    await load(listed);
    expect(await screening()).toBe('hit');
    const waits = waiting.answer.body.payout.id as string;
    expect([await stateOf(waits), await stateOf(ready)]).toEqual([
      'compliance_hold',
      'compliance_hold',
    ]);
    expect(await causesOf(ready)).toEqual([
      ['approved', null],
      ['compliance_hold', 'screening'],
    ]);
    expect(await stateOf(handed)).toBe('approved'); // the provider has it
    await disbursePayout(world.call, ready);
    expect(world.provider.submissions).toHaveLength(1);
  });

  it('tells of a payout that is held from its creation, as the event is described', async () => {
    await load(listed);
    const enabledEvents = ['payout.created', 'payout.held'] as const;
    await registerSubscription(await memberCall(), {
      url: 'https://localhost/hook',
      enabledEvents: [...enabledEvents],
    });
    const { answer } = await create();
    const told = await sql<{ type: string; status: string }>(
      `SELECT type, data ->> 'status' AS status FROM event WHERE payout_id = $1 ORDER BY sequence`,
      [answer.body.payout.id],
    );
    expect(told.map(({ type }) => type)).toEqual(enabledEvents);
    for (const { status } of told) expect(status).toBe('compliance_hold');
    const { tail } = eventsOnRequest['payout.created'];
    expect(tail.status.parse(told[0]?.status)).toBe('compliance_hold');
  });

  it('creates a payout in compliance_hold, once for one key, and approves none', async () => {
    await load(listed);
    const body = payoutBody(world.payee, { validator_strategy: 'auto' });
    const send = () => world.harness.rest('POST', '/v1/payouts', { key: world.tenant.key, body });
    const [first, again] = [await send(), await send()];
    expect([first.status, first.body.payout.state]).toEqual([201, 'compliance_hold']);
    expect([again.status, again.body.payout.id]).toEqual([200, first.body.payout.id]);
    expect(await causesOf(first.body.payout.id as string)).toEqual([
      ['compliance_hold', 'screening'],
    ]);
    expect(await sql('SELECT 1 FROM payout_decision')).toEqual([]);
    await expect(approve(first.body.payout.id as string)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
  });

  it('does the same for each row of a bulk', async () => {
    await load(listed);
    const answer = await world.harness.rest('POST', '/v1/payouts/bulk', {
      key: world.tenant.key,
      body: { payouts: [payoutBody(world.payee), payoutBody(world.payee)] },
    });
    const found = answer.body.results as { payout: { id: string; state: string } }[];
    expect(found.map(({ payout }) => payout.state)).toEqual(['compliance_hold', 'compliance_hold']);
    expect(await causesOf(found[1]?.payout.id ?? '')).toEqual([['compliance_hold', 'screening']]);
  });

  it('holds nothing any more once the list has the payee no more', async () => {
    const id = await approved();
    await load(listed);
    await load();
    expect([await screening(), await stateOf(id)]).toEqual(['clear', 'pending_approval']);
    expect(await sql('SELECT status FROM screening_hit')).toEqual([{ status: 'gone' }]);
  });
});

it('refuses an approval that comes between the hit and the hold', async () => {
  const { answer } = await create();
  const id = answer.body.payout.id as string;
  await load();
  await inTransaction(world.call.services.pool, async (client) => {
    await lockBeneficiary(client, world.call.scope, world.payee.beneficiaryId);
    await changeStanding(client, world.call, world.payee.beneficiaryId, 'hit');
  });
  const outcome: unknown = await approve(id).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ code: 'BENEFICIARY_NOT_COMPLIANT' });
  expect(await stateOf(id)).toBe('pending_approval');
});

it('lets a hand-over wait for a result that is being written, and makes none after it', async () => {
  await load();
  const id = await approved();
  let handed = Promise.resolve();
  await inTransaction(world.call.services.pool, async (client) => {
    await lockBeneficiary(client, world.call.scope, world.payee.beneficiaryId);
    handed = disbursePayout(world.call, id);
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
    expect(world.provider.submissions).toEqual([]);
    await changeStanding(client, world.call, world.payee.beneficiaryId, 'hit');
  });
  await handed;
  expect(world.provider.submissions).toEqual([]);
  expect(await stateOf(id)).toBe('compliance_hold');
});
