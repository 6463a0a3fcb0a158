import { expect, it } from 'vitest';
import { makeTenant, payoutBody } from '../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

/* What happened in a business, of several tables in one order. */

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

interface Node {
  readonly id: string;
  readonly kind: string;
  readonly occurredAt: string;
  readonly detail: string | null;
  readonly payout: { readonly id: string } | null;
  readonly author: { readonly type: string; readonly you: boolean } | null;
  readonly change: { readonly kind: string } | null;
}

const query = `query ($first: Int, $after: String, $filter: ActivityFilter) {
  activity(first: $first, after: $after, filter: $filter) {
    edges { node { id kind occurredAt detail payout { id } author { type you } change { kind } } }
    pageInfo { hasNextPage endCursor }
  }
}`;

async function page(variables: Record<string, unknown>, key = tenant.key) {
  const { body } = await harness.graphql(key, query, variables);
  if (body.errors !== undefined) throw new Error(body.errors[0].extensions.code as string);
  const { edges, pageInfo } = body.data.activity;
  return {
    nodes: edges.map(({ node }: { node: Node }) => node) as Node[],
    next: (pageInfo.hasNextPage === true ? pageInfo.endCursor : null) as string | null,
  };
}

const post = async (path: string, body: unknown = {}) => {
  const answer = await harness.rest('POST', path, { key: tenant.key, body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return answer.body;
};

it('has each thing once, newest first, on pages of any size, and nothing of others', async () => {
  const created: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    created.push((await post('/v1/payouts', payoutBody(payee))).payout.id as string);
  }
  const [first = '', second = '', third = ''] = created;
  await post(`/v1/payouts/${first}/approve`);
  await post(`/v1/payouts/${second}/reject`, { reasons: [{ message: 'twice' }] });
  await post(`/v1/payouts/${third}/cancel`);
  await harness.graphql(
    tenant.key,
    'mutation { businessSettingsUpdate(distinctApprover: true) { distinctApprover } }',
  );
  await harness.graphql(
    tenant.key,
    'mutation { exportCreate(input: { kind: transactions }) { id } }',
  );
  const { nodes: all, next } = await page({ first: 100 });
  expect(next).toBeNull();
  const told = all.map(({ kind, detail, change }) => [kind, change?.kind ?? detail]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['export', 'transactions'],
      ['access', 'settings_changed'],
      ['payout_canceled', null],
      ['decision', 'rejected'],
      ['decision', 'approved'],
      ['payout_created', null],
    ]),
  );
  expect(all.filter(({ kind }) => kind === 'payout_created').map(({ id }) => id)).toEqual(
    created.toReversed(),
  );
  expect(all.every(({ author }) => author?.you === true || author?.type !== 'member')).toBe(true);
  for (const size of [1, 2, 3]) {
    const walked: Node[] = [];
    let after: string | null = null;
    do {
      const { nodes, next: further } = await page({ first: size, after });
      walked.push(...nodes);
      after = further;
    } while (after !== null);
    expect(walked).toEqual(all);
  }
  const other = await makeTenant(harness);
  const theirs = await page({ first: 100 }, other.key);
  expect(theirs.nodes.filter(({ payout }) => payout !== null)).toEqual([]);
  const cursor = (await page({ first: 1 })).next;
  await expect(page({ first: 1, after: cursor }, other.key)).rejects.toThrow('validation_failed');
});

it('is chosen by kind and time', async () => {
  const { nodes } = await page({ first: 100, filter: { kind: ['decision', 'export'] } });
  expect(new Set(nodes.map(({ kind }) => kind))).toEqual(new Set(['decision', 'export']));
  const [latest, second] = nodes;
  const since = { first: 100, filter: { since: latest?.occurredAt } };
  expect((await page(since)).nodes.map(({ id }) => id)).toContain(latest?.id);
  const before = { first: 100, filter: { before: latest?.occurredAt } };
  const earlier = (await page(before)).nodes.map(({ id }) => id);
  expect(earlier).not.toContain(latest?.id);
  expect(earlier).toContain(second?.id);
  await expect(page({ filter: { since: 'yesterday' } })).rejects.toThrow();
});
