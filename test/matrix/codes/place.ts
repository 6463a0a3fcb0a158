import { person } from '../../support/beneficiaries.ts';
import { makePayee, payoutBody, type TestPayee, type TestTenant } from '../../support/factory.ts';
import type { Harness, RestAnswer } from '../../support/harness.ts';
import * as commands from './commands.ts';
import type { Command } from './commands.ts';

/** What a scenario makes its world with; the tenant is its own. */
export interface Place {
  readonly harness: Harness;
  readonly tenant: TestTenant;
}

export const account = (more: Record<string, unknown> = {}) => ({
  account_holder_name: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routing_code: '021000021',
  account_number: '000123456789',
  ...more,
});

export function send({ harness, tenant }: Place, { rest }: Command): Promise<RestAnswer> {
  return harness.rest(rest.method, rest.path, { key: tenant.key, body: rest.body });
}

/** Sends what must succeed; gives the id of what its answer is about. */
export async function done(place: Place, command: Command): Promise<string> {
  const answer = await send(place, command);
  if (answer.status >= 300) throw new Error(`${command.rest.path}: ${answer.text}`);
  const [resource] = Object.values(answer.body as Record<string, { id: string }>);
  return resource?.id ?? '';
}

/** For what only an older release, a provider or a race can leave behind. */
export async function set(place: Place, table: string, id: string, change: string): Promise<void> {
  await place.harness.database.pool.query(`UPDATE ${table} SET ${change} WHERE id = $1`, [id]);
}

/** Has a version of the approval policy in force that has this rule for every payout. */
async function rule({ harness, tenant }: Place, what: object): Promise<void> {
  await harness.database.pool.query(
    `INSERT INTO approval_policy (tenant_id, version, rules, sums, proposed_by, proposed_at, confirmed_by)
     VALUES ($1, 1, $2, '[]', 'usr_1', now(), 'usr_2')`,
    [tenant.tenantId, JSON.stringify([{ name: 'every payout', when: {}, ...what }])],
  );
}

/** Has the approval policy block every payout. */
export const block = (place: Place): Promise<void> =>
  rule(place, { effect: 'block', reason: 'Ask the treasury.' });

/** Has the approval policy ask for the signature of an owner's passkey. */
export const demandPasskey = (place: Place): Promise<void> =>
  rule(place, {
    effect: 'require',
    steps: [{ approvals: 1, groups: ['owner'], distinctFrom: [], stepUp: true }],
  });

/** Has the funds enforced, with less than a payout of the factory needs. */
export async function enforce({ harness, tenant }: Place): Promise<void> {
  const openings = JSON.stringify([{ currency: 'USD', amount_minor: 100_000 }]);
  await harness.database.pool.query(
    `SELECT command.set_ledger_mode(_tenant => $1, _mode => 'enforced', _openings => $2, _source => 'opening')`,
    [tenant.tenantId, openings],
  );
}

export const payee = ({ harness, tenant }: Place, more: Parameters<typeof makePayee>[2] = {}) =>
  makePayee(harness, tenant.key, more);

/** A payee whose account's bank has another name, of a business that pays no such account. */
export async function misnamed(place: Place): Promise<TestPayee> {
  const of = await payee(place);
  await place.harness.database.pool.query(
    `INSERT INTO name_check_policy (tenant_id, asks, close_match, no_match, not_possible)
     VALUES ($1, true, 'confirm', 'block', 'show')`,
    [place.tenant.tenantId],
  );
  await set(place, 'bank_account', of.bankAccountId, `name_check = 'no_match'`);
  return of;
}

export async function payout(place: Place, of?: TestPayee, more: Record<string, unknown> = {}) {
  const body = payoutBody(of ?? (await payee(place)), more);
  return { body, id: await done(place, commands.createPayout(body)) };
}

export async function failedPayout(place: Place): Promise<{ id: string; of: TestPayee }> {
  const of = await payee(place);
  const { id } = await payout(place, of);
  await place.harness.database.pool.query(
    `WITH records AS (
       INSERT INTO payout_transition (tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor)
       VALUES ($1, $2, 2, 1, 'pending_approval', 'approved', '{}'), ($1, $2, 3, 2, 'approved', 'failed', '{}')
     )
     UPDATE payout SET state = 'failed', transition_count = 3 WHERE tenant_id = $1 AND id = $2`,
    [place.tenant.tenantId, id],
  );
  return { id, of };
}

export const beneficiary = (place: Place, body = person()): Promise<string> =>
  done(place, commands.createBeneficiary(body));
