import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import { decideOnPayout } from '../../src/domain/payout/decide.ts';
import { decideOnHit } from '../../src/domain/screening/decide.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { Call, Services } from '../../src/process/services.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { screeningChecks } from '../../tools/verify/screening-checks.ts';
import { loadOwn, ownList } from '../domain/screening/support.ts';
import { screeningSeed } from '../support/config.ts';
import { payoutBody } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';
import { usePayoutWorld } from '../support/payout-world.ts';
import { randomFrom } from '../support/random.ts';
import { Died, mortal } from './support/mortal.ts';

/*
 * Lists come and go, people decide, and payouts are created, approved and handed over, all at once and by processes that
 * die anywhere. Nothing is handed over for a payee with an open or confirmed hit; and once it is calm, what may be paid is.
 */

const world = usePayoutWorld({
  fresh: true,
  env: { WATCHLIST_STALE_DAYS: '365', LOG_LEVEL: 'silent' },
});
const { sql } = world;

const names = ['Anna Hopper', 'Bertha Quint', 'Clara Vos', 'Dora Lindqvist'];
const always = 'Z-0,person,Zebedee Quux,,,,,';

interface Person {
  readonly beneficiaryId: string;
  readonly bankAccountId: string;
}

async function register(name: string): Promise<Person> {
  const { harness, tenant } = world;
  const [first_name = '', last_name = ''] = name.split(' ');
  const key = tenant.key;
  const { body } = await harness.rest('POST', '/v1/beneficiaries', {
    key,
    body: {
      beneficiary_type: 'person',
      email: `${first_name}@example.com`,
      first_name,
      last_name,
      country_of_residence: 'US',
      date_of_birth: '1990-04-01',
      acknowledged: true,
    },
  });
  const beneficiaryId: string = body.beneficiary.id;
  const account = await harness.rest('POST', `/v1/beneficiaries/${beneficiaryId}/bank-accounts`, {
    key,
    body: {
      account_holder_name: name,
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '000123456789',
    },
  });
  return { beneficiaryId, bankAccountId: account.body.bank_account.id };
}

async function load(services: Services, listed: readonly string[]): Promise<void> {
  const rows = listed.map((name) => `B-${name.slice(0, 1)},person,${name},,1990-04-01,US,,Fraud`);
  await loadOwn(services, ownList(always, ...rows), { acceptedBecause: 'by the storm' });
}

async function rescreen(services: Services): Promise<void> {
  await handlers.rescreen({}, services);
  await handlers.rescreen_tenant({ tenantId: world.tenant.tenantId }, services);
}

async function ownerScope(): Promise<Call['scope']> {
  const key = await world.tenant.keyWithRole('owner');
  const found = await createAuthenticate(world.call.services.pool)(`Bearer ${key}`);
  if (found === null || !('tenantId' in found.caller)) throw new Error('the key does not work');
  return found.caller;
}

/** What the promise about listed payees finds broken. */
async function broken(): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { promise, sql: text } of screeningChecks) {
    const rows = await sql(`WITH attempts AS (SELECT * FROM disbursement_attempt) ${text}`);
    found.push(...rows.map((row) => ({ promise, ...row })));
  }
  return found;
}

/** A refusal is an outcome; so is the end of a process, and what is left of its statements. */
function isExpected(error: unknown, died: boolean): boolean {
  return error instanceof Died || error instanceof DomainError || died;
}

it(
  'hands nothing over for whom a list may have, whatever dies',
  { timeout: longTestMs },
  async () => {
    const seed = Number(screeningSeed ?? randomInt(2 ** 31));
    console.log(`SCREENING_SEED=${seed}`);
    const random = randomFrom(seed);
    const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
    const people = await Promise.all(names.map(register));
    const scope = await ownerScope();
    await load(world.call.services, []);
    await rescreen(world.call.services);

    const ids = async (text: string) => (await sql<{ id: string }>(text)).map(({ id }) => id);
    const inState = (state: string) => ids(`SELECT id FROM payout WHERE state = '${state}'`);
    type Act = (services: Services) => Promise<unknown>;
    const acts: readonly Act[] = [
      (services) =>
        load(
          services,
          names.filter(() => random() < 0.3),
        ),
      (services) => rescreen(services),
      async (services) => {
        const hit = pick(
          await ids(`SELECT id FROM screening_hit WHERE status IN ('open', 'confirmed')`),
        );
        if (hit === undefined) return;
        const verdict = random() < 0.7 ? 'cleared' : 'confirmed';
        await decideOnHit({ services, scope }, hit, { verdict, reason: 'by the storm' });
      },
      async () => {
        const person = pick(people);
        if (person === undefined) return;
        const more = random() < 0.5 ? { validator_strategy: 'auto' } : {};
        await world.harness.rest('POST', '/v1/payouts', {
          key: world.tenant.key,
          body: payoutBody(person, more),
        });
      },
      async (services) => {
        const id = pick(await inState('pending_approval'));
        if (id === undefined) return;
        const decision = { decisionId: newUlid(), status: 'approved' as const, reasons: [] };
        await decideOnPayout({ services, scope }, id, decision);
      },
      async (services) => {
        const id = pick(await inState('approved'));
        if (id !== undefined) await disbursePayout({ services, scope: world.call.scope }, id);
      },
      async (services) => {
        const person = pick(people);
        if (person === undefined) return;
        const job = { tenantId: world.tenant.tenantId, beneficiaryId: person.beneficiaryId };
        await handlers.screen_beneficiary(job, services);
        await handlers.release_payouts(job, services);
      },
    ];

    let deaths = 0;
    async function worker(): Promise<void> {
      for (let turn = 0; turn < 40; turn += 1) {
        const act = pick(acts);
        const last = random() < 0.4 ? 1 + Math.floor(random() * 40) : Number.MAX_SAFE_INTEGER;
        const life = mortal(world.call.services, last);
        await act?.(life.services).catch((error: unknown) => {
          if (error instanceof Died) deaths += 1;
          if (!isExpected(error, life.died())) throw error;
        });
      }
    }
    await Promise.all([worker(), worker(), worker()]);
    expect(await broken()).toEqual([]);
    // A storm in which nothing happened proves nothing.
    expect(deaths).toBeGreaterThan(0);
    expect(await ids('SELECT id FROM screening_hit')).not.toEqual([]);

    // It is calm: nobody is listed, and what was confirmed is cleared by its owner.
    const { services } = world.call;
    await load(services, []);
    await rescreen(services);
    for (const hit of await ids(`SELECT id FROM screening_hit WHERE status = 'confirmed'`)) {
      await decideOnHit({ services, scope }, hit, { verdict: 'cleared', reason: 'It is over.' });
    }
    for (const { beneficiaryId } of people) {
      const job = { tenantId: world.tenant.tenantId, beneficiaryId };
      await handlers.screen_beneficiary(job, services);
      await handlers.release_payouts(job, services);
    }
    expect(await inState('compliance_hold')).toEqual([]);
    for (const id of await inState('pending_approval')) {
      const decision = { decisionId: newUlid(), status: 'approved' as const, reasons: [] };
      await decideOnPayout({ services, scope }, id, decision);
    }
    for (const id of await inState('approved')) await disbursePayout(world.call, id);
    const unpaid = await ids(
      `SELECT p.id FROM payout p WHERE NOT EXISTS (
       SELECT 1 FROM disbursement_attempt a WHERE a.payout_id = p.id AND a.status = 'submitted')`,
    );
    expect(unpaid).toEqual([]);
    expect(await broken()).toEqual([]);
    expect(world.provider.ledger.size).toBeGreaterThan(0);
  },
);
