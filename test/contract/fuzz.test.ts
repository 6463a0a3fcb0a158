import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import {
  freshParts,
  makeWorld,
  unknownLike,
  valuesOf,
  webhookBody,
  type World,
} from '../support/matrix/world.ts';
import { longTestMs } from '../support/patience.ts';
import { useHarness } from '../support/use-harness.ts';
import { fuzzRequests, fuzzSeed } from './config.ts';
import { operations } from './document.ts';
import { requests, type Draft } from './requests.ts';
import { describe, judge, prepare, send, type Answer, type Sent } from './send.ts';

/**
 * Requests made from `docs/openapi.json`, to the running service: none is answered by a fault of the
 * service, and each answer is one that the document describes. A run prints its seed.
 */
const harness = useHarness({ shipped: true, worker: false, env: { ENROLL_WAIT_MS: '20' } });
let tenant: TestTenant;
let world: World;
let foreign: string;
let exportId: string;

beforeAll(async () => {
  tenant = await makeTenant(harness);
  const stranger = await makeTenant(harness);
  world = await makeWorld(harness, tenant, { failed: false });
  foreign = (await makeWorld(harness, stranger, { failed: false })).payoutId;
  const target = { table: 'export', column: 'id' };
  exportId = (await valuesOf(harness, world, target))[0] ?? '';
});

const idsOf = (): Record<string, string> => ({
  beneficiary: world.payee.beneficiaryId,
  account: world.payee.bankAccountId,
  payout: world.payoutId,
  delivery: world.deliveryId,
  request: world.requestId,
  document: world.documentId,
  export: exportId,
  foreign,
  unknown: unknownLike(world.payoutId),
});

/** Requests change what they find, archive it or delete it, so that others find rows of their own. */
async function renew(): Promise<void> {
  const { key } = tenant;
  const call = (method: string, path: string, body: object) =>
    harness.rest(method, path, { key, body });
  await call('POST', '/v1/webhook-subscriptions', webhookBody);
  await call('PATCH', '/v1/webhook-subscriptions', { ...webhookBody, enabled: true });
  const balance = { available_balance_minor: 1_000_000, currency: 'USD' };
  await call('POST', '/v1/business/funding-account/sandbox-balance', balance);
  world = { ...world, ...(await freshParts(harness, world)) };
}
const renewedAfter = 120;
const atOnce = 6;

const problems = new Map<string, string>();
const statuses = new Map<string, number>();
const refused: Sent[] = [];

async function tryOut(draft: Draft): Promise<void> {
  const sent = prepare(draft, tenant.key, idsOf());
  const answer: Answer = await send(harness.baseUrl, sent);
  const class_ = `${draft.kind === 'valid' ? 'valid' : 'faulty'} ${Math.floor(answer.status / 100)}xx`;
  statuses.set(class_, (statuses.get(class_) ?? 0) + 1);
  if (answer.status >= 400 && draft.refused) refused.push(sent);
  for (const problem of judge(sent, answer)) {
    const name = `${draft.operation.id} ${problem}`;
    if (!problems.has(name)) problems.set(name, `${problem}\n  ${describe(sent, answer)}`);
  }
}

afterAll(() => {
  const told = JSON.stringify(Object.fromEntries(statuses));
  process.stdout.write(`contract fuzzer: seed ${fuzzSeed}, ${told}\n`);
});

it(
  `${fuzzRequests} requests get answers that the document describes (seed ${fuzzSeed})`,
  async () => {
    const made = requests(operations);
    for (let done = 0; done < fuzzRequests; done += renewedAfter) {
      const numRuns = Math.min(renewedAfter, fuzzRequests - done);
      const batch = fc.sample(made, { seed: fuzzSeed + done, numRuns });
      await renew();
      const waiting = batch.values();
      const lane = async (): Promise<void> => {
        for (const draft of waiting) await tryOut(draft);
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
    }
    expect([...problems.values()].join('\n\n')).toBe('');
    // A fuzzer whose valid requests are refused tries nothing.
    const worked = statuses.get('valid 2xx') ?? 0;
    expect(worked).toBeGreaterThan((statuses.get('valid 4xx') ?? 0) / 2);
  },
  longTestMs,
);

/** Rows of every table, by its name. */
async function rowCounts(): Promise<Record<string, number>> {
  const { pool } = harness.database;
  const { rows } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const counted = rows.map(
    ({ name }) => `SELECT '${name}' AS name, count(*)::int AS count FROM ${name}`,
  );
  const counts = await pool.query<{ name: string; count: number }>(counted.join(' UNION ALL '));
  return Object.fromEntries(counts.rows.map(({ name, count }) => [name, count]));
}

it('a refused request leaves nothing behind', async () => {
  const sample = fc.sample(fc.constantFrom(...refused), { seed: fuzzSeed, numRuns: 60 });
  const before = await rowCounts();
  for (const sent of sample) await send(harness.baseUrl, sent);
  expect(await rowCounts()).toEqual(before);
});
