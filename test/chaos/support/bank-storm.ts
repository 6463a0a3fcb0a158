import { setTimeout as sleep } from 'node:timers/promises';
import { crashPoints } from '../../../src/process/crash-point.ts';
import { idOfBankReference } from '../../../src/providers/bank/text/reference.ts';
import { eventually } from '../../support/factory.ts';
import {
  addCrownPayee,
  addDinarPayee,
  addEuroPayee,
  addPayee,
  pay,
  registerBusiness,
} from './business.ts';
import type { Caller } from './client.ts';
import { converge, convergenceMs } from './converge.ts';
import type { MortalPostgres } from './mortal-postgres.ts';
import { query } from './standby.ts';
import type { World } from './world.ts';

interface BankStormOptions {
  readonly kills: number;
  /** From 0 up to 1; everything that is chosen is chosen by it. */
  readonly random: () => number;
  /** The point at which the next lives end; null for none. */
  readonly armNext: (point: string | null) => void;
  readonly print: (line: string) => void;
}

const longestPauseMs = 900;

/** Where a process dies that makes, brings, fetches or reads a file. */
const pointsOfBanks = crashPoints.filter((point) => /^(?:bank_file|batch)_/.test(point));

/** What becomes of a payout, by the ending of the payee's account. */
const ends = ['settled', 'failed', 'returned'] as const;
type End = (typeof ends)[number];

const graphqlOf = (call: Caller) => async (text: string) => {
  const { body } = await call('POST', '/graphql', { query: text });
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data;
};

/** Connects an account in dollars and one in euro, and leads all payouts there. */
async function connectBanks(call: Caller): Promise<void> {
  const graphql = graphqlOf(call);
  const connect = async (currency: string): Promise<string> => {
    const input = `{ name: "Bank", currency: "${currency}", debtorName: "Chaos Company" }`;
    const text = `mutation { sandboxBankConnect(input: ${input}) { id } }`;
    const connected = await graphql(text);
    return connected.sandboxBankConnect.id as string;
  };
  const route = (currency: string, id: string) =>
    `{ currency: "${currency}", connectionId: "${id}" }`;
  const dollars = await connect('USD');
  const euros = await connect('EUR');
  const abroad = ['EUR', 'KWD', 'ISK'].map((currency) => route(currency, euros));
  const routes = [route('USD', dollars), ...abroad];
  await graphql(`mutation {
    sandboxRoutesReplace(version: 0, routes: [${routes.join(', ')}]) { version }
  }`);
}

/** What the clock and an operator's order add, now. One job of each waits at most, however slow the worker is. */
async function tick({ url }: MortalPostgres): Promise<void> {
  await query(
    url,
    `SELECT graphile_worker.add_job('close_bank_batch', json_build_object(
       'tenantId', tenant_id, 'connectionId', id, 'onRequest', true), job_key := 'storm ' || id)
     FROM bank_connection`,
  );
  await query(
    url,
    `SELECT graphile_worker.add_job(task, '{}', job_key := 'storm ' || task)
     FROM unnest(ARRAY['sweep_bank_batches', 'fetch_bank_files', 'settle_bank_payouts']) AS task`,
  );
}

/** The jobs that are not done, to tell what is slow from what is lost. */
async function openJobs({ url }: MortalPostgres): Promise<string[]> {
  const found = await query<{ text: string }>(
    url,
    `SELECT concat_ws(' ', t.identifier, j.payload, 'after', j.attempts, 'tries, due in',
       round(extract(epoch FROM j.run_at - now())), 's:', left(j.last_error, 200)) AS text
     FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     ORDER BY j.run_at LIMIT 50`,
  );
  return found.map(({ text }) => text);
}

/** What the bank does otherwise for a while. Nothing of it is wrong, so each payout has the end of its payee. */
function faultsOf(random: () => number): object {
  const oneOf = <T>(...from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  return {
    delay_answers_ms: oneOf(0, 0, 300),
    repeat_answers: oneOf(0, 1),
    copy_statements: random() < 0.3,
    reorder_answers: random() < 0.3,
    break_answers: oneOf(0, 0, 1),
    list: oneOf('all', 'exceptions'),
    booking: oneOf('each', 'each', 'batch'),
    pain_002: oneOf('10', '03'),
    camt: oneOf('08', '02'),
    cut_sftp: oneOf('write', 'before_rename', 'after_rename', null),
    cuts: 1,
  };
}

interface BankOrder {
  readonly file_sha256: string;
  readonly end_to_end_id: string | null;
  readonly trace_number: string | null;
  readonly status: string;
}

const statusAt = { settled: 'booked', failed: 'refused', returned: 'returned' } as const;

/**
 * Compares the payouts with what the bank read in its files, with a reader of its own: each stands in one file, once,
 * and ended there as it did here. Returns what differs.
 */
async function compare(
  world: World,
  { url }: MortalPostgres,
  wanted: ReadonlyMap<string, End>,
): Promise<string[]> {
  const { orders } = (await world.control('GET', '/bank/book')) as { orders: BankOrder[] };
  const traced = await query<{ trace: string; id: string }>(
    url,
    'SELECT trace_number AS trace, payout_id AS id FROM bank_payment WHERE trace_number IS NOT NULL',
  );
  const payoutOf = new Map(traced.map(({ trace, id }) => [trace, id]));
  const ordered = Map.groupBy(orders, ({ end_to_end_id: id, trace_number: trace }) =>
    trace === null ? idOfBankReference(id ?? '') : payoutOf.get(trace),
  );
  const rows = await query<{ id: string; state: string }>(url, 'SELECT id, state FROM payout');
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  const differences = [...ordered.keys()]
    .filter((id) => !wanted.has(id ?? ''))
    .map((id) => `the bank was told to pay ${id ?? 'nobody'}`);
  for (const [id, end] of wanted) {
    const found = ordered.get(id) ?? [];
    const said = [...found.map(({ status }) => status), states.get(id) ?? 'lost'].join(' ');
    if (said !== `${statusAt[end]} ${end}`) differences.push(`${id} shall be ${end}: ${said}`);
  }
  const files = await query<{ id: string; status: string }>(
    url,
    `SELECT id, status FROM bank_batch WHERE status NOT IN ('sent', 'rejected') OR needs_operator`,
  );
  // The bank has answered every file, so none waits for a person.
  differences.push(...files.map(({ id, status }) => `the file ${id} is ${status}`));
  if (states.size !== wanted.size) differences.push(`${states.size} payouts of ${wanted.size}`);
  return differences;
}

/** PostgreSQL and the bank die in their turn, the service's processes by chance. */
async function killOne(
  world: World,
  postgres: MortalPostgres,
  { kill, random }: { readonly kill: number; readonly random: () => number },
): Promise<void> {
  if (kill % 5 === 0) await postgres.restart('kill');
  else if (kill % 3 === 0) world.simulator?.kill();
  else if (random() < 0.2) world.api.kill();
  else world.worker.kill();
}

/**
 * Pays through the bank while PostgreSQL, the service's processes and the bank are killed, and waits until everything
 * is settled. @throws Error with what is lost, paid twice, failed by silence or violated
 */
export async function runBankStorm(
  world: World,
  postgres: MortalPostgres,
  { kills, random, armNext, print }: BankStormOptions,
): Promise<void> {
  const call = await registerBusiness(world.address);
  await connectBanks(call);
  const payees = [
    { payee: await addPayee(call), end: 'settled' },
    { payee: await addPayee(call, '0002'), end: 'returned' },
    { payee: await addEuroPayee(call, '3000'), end: 'settled' },
    { payee: await addEuroPayee(call, '0001'), end: 'failed' },
    { payee: await addEuroPayee(call, '0002'), end: 'returned' },
    { payee: await addDinarPayee(call), end: 'settled' },
    { payee: await addCrownPayee(call), end: 'settled' },
  ] as const;
  const wanted = new Map<string, End>();
  const setFaults = (faults: object) =>
    eventually(() =>
      world.control('PUT', '/bank/faults', faults).then(
        () => true,
        () => false,
      ),
    );
  for (let kill = 1; kill <= kills; kill += 1) {
    if (kill % 3 === 1) await setFaults(faultsOf(random));
    const point = pointsOfBanks[Math.floor(random() * pointsOfBanks.length)] ?? '';
    armNext(random() < 0.5 ? `${point}:${1 + Math.floor(random() * 2)}` : null);
    const storm = async (): Promise<void> => {
      await tick(postgres);
      await sleep(random() * longestPauseMs);
      await killOne(world, postgres, { kill, random });
    };
    const made = payees.map(async ({ payee, end }) => {
      wanted.set(await pay(call, payee, { auto: random() < 0.5 }), end);
    });
    await Promise.all([storm(), ...made]);
    if (kill % 10 === 0) print(`${kill} kills, ${wanted.size} payouts`);
  }
  armNext(null);
  await setFaults({});
  // Whoever still lives with an armed point would die once more; now is better than later.
  world.worker.kill();
  const end = Date.now() + convergenceMs;
  for (;;) {
    await tick(postgres);
    await sleep(500);
    const differences = await compare(world, postgres, wanted);
    if (differences.length === 0) break;
    if (Date.now() > end) {
      const jobs = await openJobs(postgres);
      const said = world.members.map((member) => member.lines());
      throw new Error([...differences, '', ...jobs, '', ...said].join('\n'));
    }
  }
  await converge(world);
  const [twice] = await query<{ id: string }>(
    postgres.url,
    'SELECT payout_id AS id FROM bank_payment GROUP BY payout_id HAVING count(*) > 1 LIMIT 1',
  );
  if (twice !== undefined) throw new Error(`${twice.id} is in two files`);
}
