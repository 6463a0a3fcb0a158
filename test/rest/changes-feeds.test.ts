import { describe, expect, it } from 'vitest';
import { newAddress, person } from '../support/beneficiaries.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

/* Payees and bank accounts by their changes, for pollers: updatedSince. */

const harness = useHarness({ worker: false });

type Body = Record<string, unknown>;
interface Row {
  readonly id: string;
  readonly updated_at: string;
}

const send = ({ key }: TestTenant, method: string, path: string, body?: Body) =>
  harness.rest(method, path, { key, body });

async function payee(tenant: TestTenant, more: Body = {}): Promise<string> {
  const body = person({ email: newAddress(), ...more });
  return (await send(tenant, 'POST', '/v1/beneficiaries', body)).body.beneficiary.id;
}

async function account(tenant: TestTenant, owner: string, last: number): Promise<string> {
  const body = {
    account_holder_name: 'Ada',
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: `00012345${last}`,
  };
  const path = `/v1/beneficiaries/${owner}/bank-accounts`;
  return (await send(tenant, 'POST', path, body)).body.bank_account.id;
}

/** Every row of a feed, two a page, oldest change first. */
async function feed(tenant: TestTenant, list: 'beneficiaries' | 'bank-accounts', query: string) {
  const all: Row[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await send(tenant, 'GET', `/v1/${list}?limit=2&${query}${more}`);
    expect(answer.status, answer.text).toBe(200);
    all.push(...answer.body[list.replace('-', '_')]);
    cursor = answer.body.next_cursor;
  } while (cursor !== null);
  const times = all.map(({ updated_at: at }) => at);
  expect(times).toEqual(times.toSorted());
  return all.map(({ id }) => id);
}

/** Until every change that is committed is older than the horizon. */
const beyondHorizon = () => new Promise((done) => setTimeout(done, 150));
const always = 'updatedSince=2026-01-01T00:00:00Z';

describe('payees', () => {
  it('run by their changes, each once', async () => {
    const tenant = await makeTenant(harness);
    const ids = [];
    for (let n = 0; n < 5; n += 1) ids.push(await payee(tenant));
    const [first = '', second = '', ...rest] = ids;
    await send(tenant, 'PUT', `/v1/beneficiaries/${first}`, { nickname: 'later' });
    await beyondHorizon();
    expect(await feed(tenant, 'beneficiaries', always)).toEqual([second, ...rest, first]);
    const { updated_at: since } = (await send(tenant, 'GET', `/v1/beneficiaries/${first}`)).body
      .beneficiary;
    expect(await feed(tenant, 'beneficiaries', `updatedSince=${since}`)).toEqual([first]);
    expect(await feed(tenant, 'beneficiaries', `${always}&beneficiary_type=business`)).toEqual([]);
    expect(await feed(tenant, 'beneficiaries', `${always}&compliance_status=pending`)).toEqual([
      second,
      ...rest,
      first,
    ]);
  });

  it('are there with archived ones where that is asked for', async () => {
    const tenant = await makeTenant(harness);
    const [kept, gone] = [await payee(tenant), await payee(tenant)];
    await send(tenant, 'DELETE', `/v1/beneficiaries/${gone}`);
    await beyondHorizon();
    expect(await feed(tenant, 'beneficiaries', always)).toEqual([kept]);
    expect(await feed(tenant, 'beneficiaries', `${always}&include_archived=true`)).toEqual([
      kept,
      gone,
    ]);
    expect(await feed(tenant, 'beneficiaries', `${always}&include_archived=false`)).toEqual([kept]);
  });

  it.each([
    ['include_archived=true', 'include_archived'],
    [`${always}&email=a@example.com`, 'email'],
    [`${always}&external_ref=a`, 'external_ref'],
  ])('are not listed by %s', async (query, field) => {
    const tenant = await makeTenant(harness);
    const { status, body } = await send(tenant, 'GET', `/v1/beneficiaries?${query}`);
    expect([status, body.error.details[0]]).toMatchObject([
      400,
      { field, code: 'unsupported_combination' },
    ]);
  });

  it('that are behind an open transaction are not shown before it ends', async () => {
    const tenant = await makeTenant(harness);
    const early = await payee(tenant);
    const client = await harness.database.pool.connect();
    await client.query('BEGIN');
    await client.query(`UPDATE beneficiary SET updated_at = command.clock() WHERE id = $1`, [
      early,
    ]);
    const late = await payee(tenant);
    await beyondHorizon();
    expect(await feed(tenant, 'beneficiaries', always)).not.toContain(late);
    await client.query('COMMIT');
    client.release();
    await beyondHorizon();
    expect(await feed(tenant, 'beneficiaries', always)).toEqual([early, late]);
  });
});

describe('bank accounts', () => {
  it('of all payees run newest first, or by their changes', async () => {
    const tenant = await makeTenant(harness);
    const owner = await payee(tenant);
    const ids = [];
    for (let n = 1_000; n < 1_004; n += 1) ids.push(await account(tenant, owner, n));
    const [first = '', ...rest] = ids;
    const page = await send(tenant, 'GET', '/v1/bank-accounts?limit=3');
    expect(page.body.bank_accounts.map(({ id }: Row) => id)).toEqual(ids.toReversed().slice(0, 3));
    const path = `/v1/beneficiaries/${owner}/bank-accounts/${first}`;
    const changed = {
      account_holder_name: 'Ada L',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '000123451000',
    };
    await send(tenant, 'PUT', path, changed);
    await beyondHorizon();
    expect(await feed(tenant, 'bank-accounts', always)).toEqual([...rest, first]);
    // The acknowledgment of the owner verifies them all, which is a change of each.
    await send(tenant, 'PUT', `/v1/beneficiaries/${owner}`, {
      country_of_residence: 'US',
      date_of_birth: '1990-01-01',
    });
    const since = new Date().toISOString();
    await send(tenant, 'POST', `/v1/beneficiaries/${owner}/compliance-acknowledgment`);
    await beyondHorizon();
    expect((await feed(tenant, 'bank-accounts', `updatedSince=${since}`)).toSorted()).toEqual(
      ids.toSorted(),
    );
    expect(await feed(await makeTenant(harness), 'bank-accounts', always)).toEqual([]);
  });

  it('are read backwards in GraphQL', async () => {
    const tenant = await makeTenant(harness);
    const owner = await payee(tenant);
    const ids = [
      await account(tenant, owner, 2_000),
      await account(tenant, owner, 2_001),
      await account(tenant, owner, 2_002),
    ];
    await beyondHorizon();
    const query = `query ($filter: BankAccountFilter, $before: String) {
      bankAccounts(last: 2, before: $before, filter: $filter) { edges { node { id } } pageInfo { hasPreviousPage startCursor } }
    }`;
    const filter = { updatedSince: '2026-01-01T00:00:00Z' };
    const ask = async (before: string | null) =>
      (await harness.graphql(tenant.key, query, { filter, before })).body.data.bankAccounts;
    const last = await ask(null);
    expect(last.edges.map(({ node }: { node: Row }) => node.id)).toEqual(ids.slice(1));
    expect(last.pageInfo.hasPreviousPage).toBe(true);
    const before = await ask(last.pageInfo.startCursor);
    expect(before.edges.map(({ node }: { node: Row }) => node.id)).toEqual(ids.slice(0, 1));
  });
});
