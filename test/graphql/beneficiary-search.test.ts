import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';
import { recordStatements, rowsLookedAt } from '../support/plans.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const total = 60_000;
const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const recording = recordStatements((text) => text.includes('hits AS'));

const ids: Record<'grace' | 'ada' | 'firm', string> = { grace: '', ada: '', firm: '' };

/** Sixty thousand payees with one first name, among whom others are to be found. */
beforeAll(async () => {
  await harness.database.pool.query(
    `INSERT INTO beneficiary (tenant_id, id, beneficiary_type, email, email_key, first_name, last_name, compliance_status,
       transition_count)
     SELECT $1, 'ben_' || lpad(n::text, 26, '0'), 'person', n || '@many.example', n || '@many.example', 'Many',
       'Payee ' || n, 'compliant', 1
     FROM generate_series(1, $2::integer) AS n`,
    [tenant.tenantId, total],
  );
  const register = async (body: object): Promise<string> => {
    const answer = await harness.rest('POST', '/v1/beneficiaries', { key: tenant.key, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.beneficiary.id;
  };
  ids.grace = await register({
    beneficiary_type: 'person',
    email: 'Grace@Navy.example',
    first_name: 'Grace',
    last_name: 'Hopper',
    country_of_residence: 'US',
    nickname: 'Amazing',
  });
  ids.ada = await register({
    beneficiary_type: 'person',
    email: 'ada@engine.example',
    first_name: 'Ada',
    last_name: 'Çelik',
    country_of_residence: 'US',
  });
  ids.firm = await register({
    beneficiary_type: 'business',
    email: 'pay@hopps.example',
    business_name: 'Hopps & Sons',
    country_of_incorporation: 'US',
  });
  await harness.database.pool.query('VACUUM ANALYZE beneficiary');
}, longTestMs);
afterAll(recording.stop);

const query = `query ($text: String!, $first: Int) {
  beneficiarySearch(text: $text, first: $first) { more beneficiaries { id } } }`;

async function search(text: string, first?: number, key = tenant.key) {
  const { body, text: said } = await harness.graphql(key, query, { text, first });
  expect(body.errors, said).toBeUndefined();
  const { more, beneficiaries } = body.data.beneficiarySearch as {
    more: boolean;
    beneficiaries: { id: string }[];
  };
  return { more, ids: beneficiaries.map(({ id }) => id) };
}

test.each([
  ['the beginning of the name', 'gra', ['grace']],
  ['the whole name', 'Grace Hopper', ['grace']],
  ['the family name', 'HOPPER', ['grace']],
  ['a name of a company and of a person', 'hopp', ['grace', 'firm']],
  ['a letter beyond ASCII, in the other case', 'çel', ['ada']],
  ['the nickname', 'amaz', ['grace']],
  ['the middle of a name', 'oppe', ['grace']],
  ['the second word of a company', 'sons', ['firm']],
  ['words of both names, in any order', 'hopper grac', ['grace']],
  ['a letter without its accent', 'celik', ['ada']],
  ['a letter with an accent that the name lacks', 'Gräce', ['grace']],
  ['the beginning of a word of a few letters', 'so', ['firm']],
  ['the e-mail address, in any case', ' grace@NAVY.example ', ['grace']],
] as const)('finds payees by %s', async (_what, text, wanted) => {
  expect(await search(text)).toEqual({ more: false, ids: wanted.map((name) => ids[name]) });
});

test('finds a payee by the id', async () => {
  expect((await search(ids.firm)).ids).toEqual([ids.firm]);
});

test.each(['grace@navy', 'ons hopper', 'on', 'gracehopper', '%', "' OR true --", 'ben_nothing'])(
  '%s finds nobody',
  async (text) => {
    expect(await search(text)).toEqual({ more: false, ids: [] });
  },
);

test('a name that changes is found by the new one, and an archived payee not at all', async () => {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await harness.rest(method, path, { key: tenant.key, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const { beneficiary } = await call('POST', '/v1/beneficiaries', {
    beneficiary_type: 'business',
    email: 'old@firm.example',
    business_name: 'Oldname Ltd',
    country_of_incorporation: 'US',
  });
  await call('PUT', `/v1/beneficiaries/${beneficiary.id}`, { business_name: 'Newname Ltd' });
  expect((await search('oldname')).ids).toEqual([]);
  expect((await search('newname')).ids).toEqual([beneficiary.id]);
  await call('DELETE', `/v1/beneficiaries/${beneficiary.id}`);
  expect((await search('newname')).ids).toEqual([]);
  expect((await search(beneficiary.id)).ids).toEqual([]);
});

test.each(['many', 'payee 5', 'hopp', 'oppe', 'any payee', '7@many.example', 'nobody at all'])(
  'a search for %s is one statement that looks at few payees',
  async (text) => {
    recording.sent.length = 0;
    const { ids: found, more } = await search(text, 10);
    expect(found.length).toBeLessThanOrEqual(10);
    expect(more).toBe(['many', 'payee 5', 'any payee'].includes(text));
    expect(recording.sent).toHaveLength(1);
    const [statement] = recording.sent;
    if (statement === undefined) throw new Error('a search sends a statement');
    for (const rows of await rowsLookedAt(harness.database.pool, statement)) {
      expect(rows).toBeLessThan(100);
    }
  },
);

test('another tenant finds nobody', async () => {
  const other = await makeTenant(harness);
  for (const text of ['grace', 'hopper', 'grace@navy.example', ids.grace]) {
    expect((await search(text, 5, other.key)).ids).toEqual([]);
  }
});

test('every role that reads may search, and an empty or a long text is refused', async () => {
  const viewer = await tenant.keyWithRole('viewer');
  expect((await search('grace', 5, viewer)).ids).toEqual([ids.grace]);
  for (const variables of [{ text: ' ' }, { text: 'x'.repeat(256) }, { text: 'a', first: 51 }]) {
    const { body } = await harness.graphql(tenant.key, query, variables);
    expect(body.errors[0].extensions.code).toBe('validation_failed');
  }
});
