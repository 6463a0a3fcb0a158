import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { makePayee, payoutBody, type TestPayee } from '../support/factory.ts';
import { newId } from '../../src/values/ids.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';
import { foreignKeysOff } from '../support/foreign-keys.ts';

/* What holds of every connection that is read in both directions. */

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const count = 5;
let first: TestPayee;

async function send(method: string, path: string, body?: unknown) {
  const answer = await harness.rest(method, path, { key: tenant.key, body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

async function command(text: string): Promise<void> {
  const { body, text: answer } = await harness.graphql(tenant.key, `mutation { ${text} }`);
  expect(body.errors, answer).toBeUndefined();
}

/** Some rows of each list. */
beforeAll(async () => {
  for (let n = 1; n <= count; n += 1) {
    const payee = await makePayee(harness, tenant.key);
    await command(`memberInvite(email: "${randomUUID()}@example.com", role: viewer) { id }`);
    await tenant.keyWithRole('viewer');
    await send('POST', '/v1/payouts', payoutBody(payee));
    if (n === 1) first = payee;
    else await send('POST', '/v1/payouts', payoutBody(first));
  }
  const client = await harness.database.pool.connect();
  await client.query(`BEGIN; ${foreignKeysOff}`);
  for (let n = 1; n <= count; n += 1) {
    await client.query(
      `INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, status)
       VALUES ($1, $2, 'evt_1', 'payout.settled', 'whs_1', 'delivered')`,
      [tenant.tenantId, newId('webhookDelivery')],
    );
    await client.query(
      `INSERT INTO export (tenant_id, id, kind, filename, requested_by) VALUES ($1, $2, 'beneficiaries', 'x.csv', '{}')`,
      [tenant.tenantId, newId('export')],
    );
  }
  await client.query('COMMIT');
  client.release();
});

interface Connection {
  readonly totalCount: number;
  readonly totalCountIsExact: boolean;
  readonly edges: { readonly node: { readonly id: string } }[];
  readonly pageInfo: Record<'hasNextPage' | 'hasPreviousPage', boolean> &
    Record<'startCursor' | 'endCursor', string>;
}

const lists = [
  'payouts',
  'beneficiaries',
  'webhookDeliveries',
  'exports',
  'apiKeys',
  'members',
  'accessChanges',
  'payouts of a beneficiary',
];

async function read(list: string, args: Record<string, unknown>): Promise<Connection> {
  const given = Object.entries(args)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ');
  const fields = `(${given}) { totalCount totalCountIsExact edges { node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const nested = list === 'payouts of a beneficiary';
  const { body, text } = await harness.graphql(
    tenant.key,
    nested
      ? `{ beneficiary(id: "${first.beneficiaryId}") { payouts${fields} } }`
      : `{ ${list}${fields} }`,
  );
  expect(body.errors, text).toBeUndefined();
  return nested ? body.data.beneficiary.payouts : body.data[list];
}

const ids = ({ edges }: Connection): string[] => edges.map(({ node }) => node.id);

test.each(lists)('%s: forwards and backwards are the same list, and its total', async (list) => {
  const whole = await read(list, { first: 100 });
  const all = ids(whole);
  expect(all.length).toBeGreaterThanOrEqual(count);
  expect(whole).toMatchObject({ totalCount: all.length, totalCountIsExact: true });
  expect(whole.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });

  const forwards: string[] = [];
  for (let page = await read(list, { first: 2 }); ;) {
    forwards.push(...ids(page));
    expect(page.pageInfo.hasPreviousPage).toBe(forwards.length > 2);
    expect(page.pageInfo.hasNextPage).toBe(forwards.length < all.length);
    if (!page.pageInfo.hasNextPage) break;
    page = await read(list, { first: 2, after: page.pageInfo.endCursor });
  }
  expect(forwards).toEqual(all);

  const backwards: string[] = [];
  for (let page = await read(list, { last: 2 }); ;) {
    backwards.unshift(...ids(page));
    expect(page.pageInfo.hasNextPage).toBe(backwards.length > 2);
    expect(page.pageInfo.hasPreviousPage).toBe(backwards.length < all.length);
    if (!page.pageInfo.hasPreviousPage) break;
    page = await read(list, { last: 2, before: page.pageInfo.startCursor });
  }
  expect(backwards).toEqual(all);
});

test('a hundred payees with their payouts and totals are as many statements as one', async () => {
  const ask = async (size: number, fields: string) => {
    const text = `{ beneficiaries(first: ${size}) { edges { node { payouts(first: 2) { ${fields} } } } } }`;
    const { sent } = await harness.sql.during(() => harness.graphql(tenant.key, text));
    return sent.filter(({ text: sql }) => /payout|beneficiary/.test(sql)).length;
  };
  const page = 'edges { node { id } } pageInfo { hasPreviousPage }';
  const few = await ask(1, page);
  expect(await ask(5, page)).toBe(few);
  expect(await ask(5, `totalCount totalCountIsExact ${page}`)).toBe(few + 1);
});

test('what is not selected is not asked of the database', async () => {
  const { pageInfo } = await read('payouts', { first: 2 });
  const ask = async (fields: string) => {
    const text = `{ payouts(first: 2, after: ${JSON.stringify(pageInfo.endCursor)}) { ${fields} } }`;
    const { sent } = await harness.sql.during(() => harness.graphql(tenant.key, text));
    return sent.filter(({ text: sql }) => /FROM payout/.test(sql)).length;
  };
  expect(await ask('edges { node { id } } pageInfo { hasNextPage endCursor }')).toBe(1);
  expect(await ask('edges { node { id } } pageInfo { hasNextPage hasPreviousPage }')).toBe(2);
  expect(await ask('totalCount edges { node { id } }')).toBe(2);
});
