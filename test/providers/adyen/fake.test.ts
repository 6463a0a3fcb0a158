import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adyenWebhook,
  readAdyenDescriptions,
  startFakeAdyen,
  type FakeAdyen,
} from '../../support/provider-kit/adyen.ts';
import { descriptionsOf } from '../../support/provider-kit/config.ts';

const { path, missing } = descriptionsOf('adyen');
const given = missing === null ? readAdyenDescriptions(path) : null;
const operations = given?.transfers.operations ?? [];

const requests = operations.flatMap((operation) =>
  operation.requests.map(({ name, value }) => [operation, name, value] as const),
);
const answers = operations.flatMap((operation) =>
  operation.statuses.flatMap((status) =>
    (operation.answers[status] ?? []).map(({ name, value }) => [operation, status, name, value]),
  ),
) as [(typeof operations)[number], number, string, unknown][];
const webhooks = (given?.notifications.webhooks ?? []).flatMap((webhook) =>
  webhook.examples.map(({ name, value }) => [webhook, name, value] as const),
);

const apiKey = 'test-adyen-api-key-0123456789';
const balanceAccountId = 'BA00000000000000000000001';

it.runIf(missing !== null)(`tests of Adyen's descriptions: ${missing ?? ''}`, ({ skip }) => skip());

describe.runIf(missing === null)("the stand-in that is made from Adyen's descriptions", () => {
  let fake: FakeAdyen;
  beforeAll(async () => {
    if (given === null) throw new Error('no descriptions');
    fake = await startFakeAdyen(given, { apiKey, balanceAccountId, pageSize: 2 });
  });
  afterAll(async () => {
    expect(fake.violations).toEqual([]);
    await fake.close();
  });

  async function ask(
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = { 'x-api-key': apiKey },
  ) {
    const response = await fetch(`${fake.url}${target}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }
  const concrete = (template: string) => template.replaceAll(/\{\w+\}/g, '1W1UG35U8A9J5ZLG');
  const example = (name: string) => requests.find(([, named]) => named === name)?.[2] as object;

  it('knows every example of the descriptions', () => {
    expect(requests.map(([, name]) => name)).toHaveLength(13);
    expect(answers.length).toBeGreaterThan(14);
    expect(webhooks).toHaveLength(17);
  });

  it.each(requests)('$path takes the example %s', async (operation, _name, value) => {
    const said = await ask(operation.method, concrete(operation.path), value);
    expect(said.status).toBeLessThan(300);
    expect(operation.faultsOfAnswer(said.status, said.body)).toEqual([]);
  });

  it.each(answers)('%o may answer %i with the example %s', (operation, status, _name, value) => {
    expect(operation.faultsOfAnswer(status, value)).toEqual([]);
  });

  it.each(webhooks)('%o may be posted as the example %s', (webhook, _name, value) => {
    expect(webhook.faultsOf(value)).toEqual([]);
  });

  it.each(operations.filter(({ method }) => method === 'GET').map((one) => [one.id, one] as const))(
    'answers %s',
    async (_id, operation) => {
      const period = 'createdSince=2026-01-01T00:00:00Z&createdUntil=2026-06-01T00:00:00Z';
      const query = new URLSearchParams(period);
      if (operation.id === 'get-transfers') query.set('balanceAccountId', balanceAccountId);
      const lists = ['get-transfers', 'get-transactions'].includes(operation.id);
      const holder = operation.id === 'get-grants' ? '?counterpartyAccountHolderId=AH1' : '';
      const target = `${concrete(operation.path)}${lists ? `?${query}` : holder}`;
      const said = await ask('GET', target);
      expect(said.status).toBe(200);
    },
  );

  it.each([
    ['a field that is not described', { nonsense: 1 }],
    [
      'a field of the amount that is not described',
      { amount: { currency: 'EUR', value: 1, a: 1 } },
    ],
    ['another type', { amount: { currency: 'EUR', value: '1' } }],
    ['a part of a minor unit', { amount: { currency: 'EUR', value: 1.5 } }],
    ['a value that is not listed', { priority: 'soon' }],
    ['a text that is too long', { reference: 'x'.repeat(81) }],
    ['a field that is missing', { counterparty: undefined }],
    ['a date that is none', { executionDate: { date: 'tomorrow' } }],
  ])('refuses a transfer with %s', async (_what, change) => {
    const said = await ask('POST', '/transfers', {
      ...example('payout-local-transfer-sepa'),
      ...change,
    });
    expect(said).toMatchObject({ status: 422, body: { errorCode: '30_000' } });
  });

  it('refuses headers, parameters and times that are not described, and a wrong key', async () => {
    const body = example('payout-local-transfer-sepa');
    const odd = await ask('POST', '/transfers', body, { 'x-api-key': apiKey, 'x-odd': '1' });
    expect(odd.status).toBe(422);
    const long = { 'x-api-key': apiKey, 'idempotency-key': 'k'.repeat(65) };
    expect((await ask('POST', '/transfers', body, long)).status).toBe(422);
    const account = `balanceAccountId=${balanceAccountId}`;
    const period = 'createdSince=2026-01-01T00:00:00Z&createdUntil=2026-06-01T00:00:00Z';
    for (const query of [
      `${account}&${period}&odd=1`,
      `${account}&createdSince=2026-01-01&createdUntil=2026-06-01T00:00:00Z`,
      `${account}&createdSince=2026-01-01T00:00:00Z`,
      period,
      `${account}&createdSince=2025-01-01T00:00:00Z&createdUntil=2026-06-01T00:00:00Z`,
    ]) {
      expect((await ask('GET', `/transfers?${query}`)).status).toBe(422);
    }
    const stranger = await ask('POST', '/transfers', body, { 'x-api-key': 'another' });
    expect(stranger.status).toBe(401);
  });

  it('posts no webhook that the description does not permit', () => {
    if (given === null) throw new Error('no descriptions');
    const at = '2026-11-21T09:30:00Z';
    const transfer = { amount: { currency: 'EUR', value: 1 } };
    const happening = { status: 'booked', at, sequenceNumber: 2 };
    expect(adyenWebhook(given, transfer, happening)).toContain('balancePlatform.transfer.updated');
    for (const wrong of [
      { status: 'paid' },
      { reason: 'because' },
      { at: 'today' },
      { sequenceNumber: 1.5 },
      { tracking: { type: 'confirmation', status: 'lost' } },
    ]) {
      expect(() => adyenWebhook(given, transfer, { ...happening, ...wrong })).toThrow(
        'not as described',
      );
    }
  });
});
