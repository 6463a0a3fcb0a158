import { beforeAll, expect, it } from 'vitest';
import { readPage, seedPayees } from './lists-support.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  const { database, services } = harness;
  await seedPayees(database.pool, services.keyring, tenant.tenantId, 1_000);
});

/** What a page asks of the tables of payees; who the caller is, is asked once a second. */
async function queriesOf(cursor: string | null, limit: number) {
  const { result: next, sent } = await harness.sql.during(() =>
    readPage(harness.baseUrl, tenant.key, cursor, limit),
  );
  const texts = sent
    .map(({ text }) => text)
    .filter((text) => /beneficiary|bank_account/.test(text));
  return { next, texts };
}

it.each([1, 25, 100])('lists with two queries on every page of %i rows', async (limit) => {
  const first = await queriesOf(null, limit);
  expect(first.texts).toHaveLength(2);
  let { next } = first;
  for (let page = 2; page <= 9; page += 1) {
    const { texts, ...rest } = await queriesOf(next, limit);
    // The very same statements, but for the bound of the page and the number of rows in it.
    expect(texts).toHaveLength(2);
    next = rest.next;
  }
  expect(next).not.toBeNull();
});

it('answers a page of 100 whole payees, each opened and with its status', async () => {
  const { body } = await harness.rest('GET', '/v1/beneficiaries?limit=100', { key: tenant.key });
  expect(body.beneficiaries).toHaveLength(100);
  expect(body.beneficiaries[99]).toMatchObject({
    status: 'ready',
    date_of_birth: '1990-04-01',
    tax_id: '12-3456789',
  });
});
