import { describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ shipped: true, worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

async function newPayout(): Promise<string> {
  const { body } = await harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(payee),
  });
  return body.payout.id as string;
}

const decide = (id: string, more: Record<string, unknown> = {}) =>
  harness.rest('POST', `/v1/payouts/${id}/decisions`, {
    key: tenant.key,
    body: { decision_id: newUlid(), status: 'pending_review', ...more },
  });

/** Decisions that the API itself would take one by one, written at once. */
async function fill(payoutId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('decision')).toSorted();
  await harness.database.pool.query(
    `INSERT INTO payout_decision (
       tenant_id, id, payout_id, decision_id, request_hash, status, reasons, evaluated_by, submitted_by, evaluated_at
     )
     SELECT $1, id, $2, id, '\\x00', 'pending_review', '[]', '{}', '{}', now() FROM unnest($3::text[]) AS g(id)`,
    [tenant.tenantId, payoutId, ids],
  );
  return ids;
}

const list = (id: string, query = '', key = tenant.key) =>
  harness.rest('GET', `/v1/payouts/${id}/decisions${query}`, { key });

describe('what one decision holds', () => {
  const details = (bytes: number) => ({ note: 'x'.repeat(bytes) });

  it.each([
    ['details of many reasons', { reasons: reasons(20, 15_000) }, 'reasons', 'too_long'],
    [
      'reasons and an evaluator, each small enough',
      { reasons: reasons(2, 12_000), evaluated_by: details(12_000) },
      'reasons',
      'too_long',
    ],
    [
      'an evaluator in letters of three bytes',
      { evaluated_by: { note: '€'.repeat(6_000) } },
      'evaluated_by',
      'too_long',
    ],
    ['one reason more than twenty', { reasons: reasons(21, 1) }, 'reasons', 'too_long'],
    ['nine levels', { evaluated_by: nested(9) }, 'evaluated_by', 'invalid_value'],
    [
      'a message of 1,001 characters',
      { reasons: [{ message: 'x'.repeat(1_001) }] },
      'reasons[0].message',
      'too_long',
    ],
  ])('is bounded: %s', async (_name, more, field, code) => {
    const id = await newPayout();
    const answer = await decide(id, more);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details).toMatchObject([{ field, code }]);
    expect((await list(id)).body.decisions).toEqual([]);
  });

  it('is bounded on every way to decide', async () => {
    const id = await newPayout();
    const large = { reasons: reasons(3, 15_000) };
    for (const action of ['approve', 'reject']) {
      const path = `/v1/payouts/${id}/${action}`;
      const answer = await harness.rest('POST', path, { key: tenant.key, body: large });
      expect(answer.body.error.details).toMatchObject([{ field: 'reasons' }]);
    }
    const bulk = await harness.graphql(
      tenant.key,
      `mutation($ids: [ID!]!, $reasons: [DecisionReasonInput!]) {
         payoutBulkReject(payoutIds: $ids, reasons: $reasons) { error { code } } }`,
      { ids: [id], ...large },
    );
    expect(bulk.body.data.payoutBulkReject).toEqual([{ error: { code: 'validation_failed' } }]);
  });

  it('may be what an agent has to say', async () => {
    const id = await newPayout();
    const more = { reasons: reasons(1, 14_000), evaluated_by: details(14_000) };
    expect((await decide(id, more)).status).toBe(201);
  });

  function reasons(count: number, bytes: number) {
    return Array.from({ length: count }, () => ({ message: 'm', details: details(bytes) }));
  }

  function nested(depth: number): object {
    return depth === 1 ? {} : { a: nested(depth - 1) };
  }
});

describe('a list of decisions', () => {
  it('has pages, oldest first, that neither repeat nor skip', async () => {
    const id = await newPayout();
    const ids = await fill(id, 60);
    const first = await list(id);
    expect(first.body.decisions).toHaveLength(25);
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 4; page += 1) {
      const query: string = cursor === null ? '?limit=20' : `?limit=20&cursor=${cursor}`;
      const { body } = await list(id, query);
      seen.push(...body.decisions.map((decision: { id: string }) => decision.id));
      cursor = body.next_cursor as string | null;
      if (cursor === null) break;
      if (page === 0) ids.push(...(await fill(id, 5)));
    }
    expect(seen).toEqual(ids);
  });

  it.each(['?limit=101', '?limit=0', '?limit=x', '?cursor=x', '?surprise=1'])(
    'refuses %s',
    async (query) => {
      const answer = await list(await newPayout(), query);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
    },
  );

  it("refuses a cursor of another payout's list, and of another tenant", async () => {
    const [one, other] = [await newPayout(), await newPayout()];
    await fill(one, 2);
    const { body } = await list(one, '?limit=1');
    const moved = await list(other, `?cursor=${body.next_cursor}`);
    expect(moved.body.error.details).toMatchObject([{ field: 'cursor', code: 'invalid_cursor' }]);
    const stranger = await makeTenant(harness);
    const foreign = await list(one, `?cursor=${body.next_cursor}`, stranger.key);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'PAYOUT_NOT_FOUND']);
  });

  it('is bounded over the payouts of one operation', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, newPayout));
    for (const id of ids) await fill(id, 80);
    const query = (first: number) => `{ payouts(first: 4) { edges { node { id
      decisions(first: ${first}) { edges { node { id } } pageInfo { hasNextPage } } } } } }`;
    const few = await harness.graphql(tenant.key, query(20));
    const pages = few.body.data.payouts.edges.map(
      ({ node }: { node: { decisions: { edges: unknown[] } } }) => node.decisions.edges.length,
    );
    expect(pages).toEqual([20, 20, 20, 20]);
    const many = await harness.graphql(tenant.key, query(80));
    expect(many.body.errors[0].extensions.code).toBe('bad_request');
    const costly = await harness.graphql(
      tenant.key,
      `{ payout(id: "${ids[0] ?? ''}") { decisions(first: 100) { edges { node { ${Array.from(
        { length: 20 },
        (_, i) => `r${i}: reasons`,
      ).join(' ')} } } } } }`,
    );
    expect(costly.body.errors[0].extensions.code).toBe('bad_request');
  });
});

describe('other lists that a caller can make grow', () => {
  it('shows the latest hundred changes of a payout and of a payee, and those before by number', async () => {
    const id = await newPayout();
    await harness.database.pool.query(
      `INSERT INTO beneficiary_transition (
         tenant_id, beneficiary_id, seq, kind, from_status, to_status, actor
       )
       SELECT $1, $2, n, 'acknowledged', 'compliant', 'compliant', '{}' FROM generate_series(11, 250) n`,
      [tenant.tenantId, payee.beneficiaryId],
    );
    const read = async (before: string) => {
      const { body } = await harness.graphql(
        tenant.key,
        `{ payout(id: "${id}") { transitions${before} { seq } }
           beneficiary(id: "${payee.beneficiaryId}") { history${before} { seq } } }`,
      );
      const numbers = (rows: { seq: number }[]) => rows.map(({ seq }) => seq);
      const { payout, beneficiary } = body.data;
      return [numbers(payout.transitions), numbers(beneficiary.history)];
    };
    const span = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => from + i);
    expect(await read('')).toEqual([[1], span(151, 250)]);
    expect(await read('(before: 151)')).toEqual([[1], span(51, 150)]);
    expect(await read('(before: 1)')).toEqual([[], []]);
  });

  it('refuses one bank account more than a payee may have', async () => {
    const { beneficiaryId } = await makePayee(harness, tenant.key);
    const path = `/v1/beneficiaries/${beneficiaryId}/bank-accounts`;
    let number = 900_000;
    const register = () =>
      harness.rest('POST', path, {
        key: tenant.key,
        body: {
          account_holder_name: 'Ada Lovelace',
          country: 'US',
          currency: 'USD',
          routing_code: '021000021',
          account_number: String((number += 1)),
        },
      });
    const before = (await harness.rest('GET', path, { key: tenant.key })).body.bank_accounts.length;
    for (let n = before; n < 50; n += 1) expect((await register()).status).toBe(201);
    const refused = await register();
    expect([refused.status, refused.body.error.code]).toEqual([422, 'unprocessable_entity']);
    const { body } = await harness.rest('GET', path, { key: tenant.key });
    expect(body.bank_accounts).toHaveLength(50);
  });
});
