import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readExactJson } from '../../src/values/exact-json.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';

function faultOf(text: string): unknown {
  try {
    readExactJson(Buffer.from(text), 32, 200_000);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [detail] = error.details;
    return detail === undefined ? error.code : `${detail.code} at ${detail.field}`;
  }
}

describe('readExactJson', () => {
  it.each([
    ['1.00000000000000001', 'inexact_number at '],
    ['{"a":[0,{"b":1.00000000000000001}]}', 'inexact_number at a[1].b'],
    ['[9007199254740993]', 'inexact_number at [0]'],
    ['[-9007199254740993]', 'inexact_number at [0]'],
    ['[100000000000000000000000001]', 'inexact_number at [0]'],
    ['[0.10000000000000000555]', 'inexact_number at [0]'],
    ['[1e400]', 'inexact_number at [0]'],
    ['[-1e400]', 'inexact_number at [0]'],
    ['[1e-400]', 'inexact_number at [0]'],
    ['{"a":1,"a":1}', 'duplicate_key at a'],
    ['{"a":1,"\\u0061":2}', 'duplicate_key at a'],
    ['{"a":{"b":[{"c":1,"d":2,"c":3}]}}', 'duplicate_key at a.b[0].c'],
    ['{"__proto__":1,"__proto__":2}', 'duplicate_key at __proto__'],
    ['{"":1,"":2}', 'duplicate_key at '],
    ['[{"a":{}},{"a":1,"a":{}}]', 'duplicate_key at [1].a'],
    ['{"a":1,', 'bad_request'],
    ['"a', 'bad_request'],
    ['', 'bad_request'],
    ['[1.00000000000000001', 'bad_request'],
    ['{"a":1,"a":2', 'bad_request'],
    ['\u{feff}[1,]', 'bad_request'],
    ['['.repeat(33) + ']'.repeat(33), 'bad_request'],
  ])('refuses %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it.each([
    '1',
    '-0',
    '0.93',
    '1.0',
    '1.50',
    '1e3',
    '1E+3',
    '-12.5e-3',
    '9007199254740992',
    '999999999999',
    '100000000000000000000',
    '0.1',
    '5e-324',
    '1.7976931348623157e308',
    '0e999999999',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}],"__proto__":{"x":1}}',
    '{"a":"\\"a\\":1,\\"a\\":2, 1.00000000000000001"}',
    '"\\\\"',
    '{"\\"":1,"\\\\":2}',
    '[]',
    '{}',
    'null',
  ])('takes %s as JSON.parse does', (text) => {
    expect(readExactJson(Buffer.from(text), 32, 200_000)).toEqual(JSON.parse(text));
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => readExactJson(Buffer.from([0x22, 0xff, 0x22]), 32, 200_000)).toThrow(
      'not valid JSON',
    );
  });

  const mebibytes = 5 * 1024 * 1024;
  const list = (item: string) =>
    `[${Array(Math.floor(mebibytes / (item.length + 1)))
      .fill(item)
      .join()}]`;

  it.each([
    ['digits', `[1.${'5'.repeat(mebibytes)}]`],
    ['zeros between digits', `[1.${'0'.repeat(mebibytes)}1]`],
    ['runs of zeros', `[1.${`${'0'.repeat(1_000)}1`.repeat(mebibytes / 1_001)}]`],
    ['numbers', list('1e5')],
    ['empty objects', list('{}')],
    ['keys', `{${Array.from({ length: 400_000 }, (_, i) => `"${i.toString(36)}":1`).join()}}`],
  ])('refuses five megabytes of %s before they hold anybody up', (_name, text) => {
    const bytes = Buffer.from(text);
    const started = process.cpuUsage();
    expect(() => readExactJson(bytes, 32, 200_000)).toThrow(DomainError);
    const { user, system } = process.cpuUsage(started);
    // Tens of milliseconds; quadratic work would take hours.
    expect((user + system) / 1_000).toBeLessThan(60_000);
  });
});

describe('a body that says two things', () => {
  let harness: Harness;
  let tenant: TestTenant;
  let payee: TestPayee;

  beforeAll(async () => {
    harness = await startHarness({ shipped: true, worker: false });
    tenant = await makeTenant(harness);
    payee = await makePayee(harness, tenant.key);
  });
  afterAll(() => harness.close());

  async function payouts(): Promise<number> {
    const { rows } = await harness.database.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM payout',
    );
    return rows[0]?.n ?? 0;
  }

  /** The body of a create as text, with the amount as it is written here. */
  const bodyWith = (amount: string) =>
    JSON.stringify(payoutBody(payee)).replace(/"amount_minor":\d+/, `"amount_minor":${amount}`);

  it.each([
    ['an amount that would be rounded', '1.00000000000000001', 'inexact_number'],
    ['an amount beyond all numbers', '1e400', 'inexact_number'],
    ['two amounts', '1,"amount_minor":100', 'duplicate_key'],
    ['two amounts, one in disguise', '1,"amount\\u005fminor":100', 'duplicate_key'],
  ])('is refused on REST with its field: %s', async (_name, amount, code) => {
    const before = await payouts();
    for (const [path, body, field] of [
      ['/v1/payouts', bodyWith(amount), 'amount_minor'],
      ['/v1/payouts/bulk', `{"payouts":[${bodyWith(amount)}]}`, 'payouts[0].amount_minor'],
    ] as const) {
      const answer = await harness.rest('POST', path, { key: tenant.key, body });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
      expect(answer.body.error.details).toMatchObject([{ field, code }]);
    }
    expect(await payouts()).toBe(before);
  });

  const create = 'mutation($i: PayoutCreateInput!) { payoutCreate(input: $i) { payout { id } } }';

  it('is refused in the variables of GraphQL', async () => {
    const before = await payouts();
    for (const amount of ['1.00000000000000001', '1,"amountMinor":100']) {
      const input = `{"amountMinor":${amount},"currency":"USD"}`;
      const body = `{"query":${JSON.stringify(create)},"variables":{"i":${input}}}`;
      const answer = await harness.rest('POST', '/graphql', { key: tenant.key, body });
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].extensions).toMatchObject({
        code: 'validation_failed',
        details: [{ field: 'variables.i.amountMinor' }],
      });
    }
    expect(await payouts()).toBe(before);
  });

  it.each(['1.00000000000000001', '9007199254740993', '1e400'])(
    'is refused as a literal of GraphQL: %s',
    async (amount) => {
      const before = await payouts();
      const query = `mutation { payoutCreate(input: {
        beneficiaryId: "${payee.beneficiaryId}", bankAccountId: "${payee.bankAccountId}",
        amountMinor: ${amount}, currency: "USD", purposeOfPayment: "rent", idempotencyKey: "k" }) { replayed } }`;
      const answer = await harness.graphql(tenant.key, query);
      expect(answer.body.errors[0].extensions.code).toBe('bad_request');
      const details = `{ amount: ${amount} }`;
      const decide = await harness.graphql(
        tenant.key,
        `mutation { payoutReject(payoutId: "pay_x", reasons: [{ message: "no", details: ${details} }]) { replayed } }`,
      );
      expect(decide.body.errors[0].extensions.code).toBe('bad_request');
      expect(await payouts()).toBe(before);
    },
  );

  it('is not: an integer with a fraction of zero, exactly that integer', async () => {
    const answer = await harness.rest('POST', '/v1/payouts', {
      key: tenant.key,
      body: bodyWith('250.00'),
    });
    expect([answer.status, answer.body.payout.amount_minor]).toEqual([201, 250]);
  });
});
