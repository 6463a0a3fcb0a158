import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { eventually, makeTenant, type TestTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';
import { foreignKeysOff } from '../support/foreign-keys.ts';

const header =
  'payout_id,external_ref,state,beneficiary_id,beneficiary_name,beneficiary_type,bank_account_id,bank_account_last4,amount_minor,amount,currency,purpose_of_payment,validator_strategy,idempotency_key,rail_ref,replaces_payout_id,failure_code,environment,created_at,updated_at,approved_at,disbursed_at,settled_at,payout_batch_id,payout_batch_row';
const transactions = '/v1/reporting/transactions/export';
const beneficiaries = '/v1/beneficiaries/export';
const harness = useHarness({ worker: false });

async function addBeneficiary(
  tenant: TestTenant,
  facts: { name?: [string, string]; business?: string; archived?: boolean } = {},
): Promise<string> {
  const id = newId('beneficiary');
  const [first, last] = facts.name ?? ['Ada', 'Lovelace'];
  const business = facts.business ?? null;
  await harness.database.pool.query(
    `INSERT INTO beneficiary (tenant_id, id, beneficiary_type, email, email_key, first_name, last_name,
       business_name, compliance_status, transition_count, archived_at)
     VALUES ($1, $2, $3, $2, $2, $4, $5, $6, 'compliant', 1, $7)`,
    [
      tenant.tenantId,
      id,
      business === null ? 'person' : 'business',
      business === null ? first : null,
      business === null ? last : null,
      business,
      facts.archived === true ? new Date() : null,
    ],
  );
  return id;
}

async function addBankAccount(tenant: TestTenant, beneficiaryId: string): Promise<string> {
  const id = newId('bankAccount');
  await harness.database.pool.query(
    `INSERT INTO bank_account (tenant_id, id, beneficiary_id, account_holder_name, currency, country,
       last4, status, validation_status)
     VALUES ($1, $2, $3, 'Ada Lovelace', 'USD', 'US', '6789', 'verified', 'validated')`,
    [tenant.tenantId, id, beneficiaryId],
  );
  return id;
}

interface PayoutFacts {
  readonly ref?: string;
  readonly name?: string;
  readonly createdAt?: string;
  readonly state?: string;
  readonly failureCode?: string;
}

/** `count` payouts by one statement, past the rules: here it matters what a row says, not how it came. */
async function addPayouts(
  tenant: TestTenant,
  beneficiaryId: string,
  bankAccountId: string,
  facts: PayoutFacts = {},
  count = 1,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('payout'));
  const client = await harness.database.pool.connect();
  try {
    // The chain of transitions is held by foreign keys, which these rows are made without.
    await client.query(`BEGIN; ${foreignKeysOff}`);
    await client.query(
      `INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type,
         bank_account_id, bank_account_version, amount_minor, amount, currency, purpose_of_payment,
         external_ref, idempotency_key, validator_strategy, state, transition_count, failure_code, created_by,
         created_at, updated_at)
       SELECT $1, id, $2, $3, 'person', $4, 1, 123456, '1234.56', 'USD', 'other', $5,
         'key-' || id, 'manual', $6, 1, $7, '{}', $8, $8
       FROM unnest($9::text[]) AS id`,
      [
        tenant.tenantId,
        beneficiaryId,
        facts.name ?? 'Ada Lovelace',
        bankAccountId,
        facts.ref ?? null,
        facts.state ?? 'pending_approval',
        facts.failureCode ?? null,
        facts.createdAt ?? '2026-11-01T09:30:00.000Z',
        ids,
      ],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  return ids;
}

async function payee(tenant: TestTenant): Promise<[string, string]> {
  const beneficiaryId = await addBeneficiary(tenant);
  return [beneficiaryId, await addBankAccount(tenant, beneficiaryId)];
}

/** The payout ids of a file, in its order. */
function idsOf(csv: string): string[] {
  return csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.slice(0, line.indexOf(',')));
}

describe('GET /v1/reporting/transactions/export', () => {
  it('writes the documented columns, CRLF and one row for each payout', async () => {
    const tenant = await makeTenant(harness);
    const [beneficiaryId, bankAccountId] = await payee(tenant);
    const [id = ''] = await addPayouts(tenant, beneficiaryId, bankAccountId, {
      ref: 'INV-1',
      state: 'failed',
      failureCode: 'account_closed',
    });
    const answer = await harness.rest('GET', transactions, { key: tenant.key });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="transactions-sandbox-\d{8}T\d{6}Z\.csv"$/,
    );
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(answer.text).toBe(
      `${header}\r\n${id},INV-1,failed,${beneficiaryId},Ada Lovelace,person,${bankAccountId},6789,123456,1234.56,USD,other,manual,key-${id},,,account_closed,sandbox,2026-11-01T09:30:00.000Z,2026-11-01T09:30:00.000Z,,,,,\r\n`,
    );
  });

  it('quotes, guards formulas and keeps unicode and line feeds of a cell', async () => {
    const tenant = await makeTenant(harness);
    const [beneficiaryId, bankAccountId] = await payee(tenant);
    const cells: [string, string][] = [
      ['=HYPERLINK("http://evil","x")', '"\'=HYPERLINK(""http://evil"",""x"")"'],
      ['+1', "'+1"],
      ['-1', "'-1"],
      ['@x', "'@x"],
      ['a,b', '"a,b"'],
      ['two\nlines', '"two\nlines"'],
      ['Zoë 💸', 'Zoë 💸'],
    ];
    for (const [ref] of cells) {
      await addPayouts(tenant, beneficiaryId, bankAccountId, { ref, name: ref });
    }
    const { text } = await harness.rest('GET', transactions, { key: tenant.key });
    for (const [, written] of cells) {
      expect(text).toContain(`,${written},pending_approval,${beneficiaryId},${written},person,`);
    }
    expect(text.replaceAll('\r\n', '').split('\n')).toHaveLength(3); // the two of `two\nlines`
  });

  it('has no formula either where semicolons, tabs or ends of lines cut a cell', async () => {
    const tenant = await makeTenant(harness);
    const [beneficiaryId, bankAccountId] = await payee(tenant);
    const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    const before = ['a;', 'a\t', 'a\n', 'a\r', 'a;"', 'a; ', 'a;;', 'a;" "', ';', '"a;', 'a;=1;'];
    for (const sign of signs) {
      for (const text of before) {
        await addPayouts(tenant, beneficiaryId, bankAccountId, {
          ref: `${text}${sign}1`,
          name: `${text}${sign}1`,
        });
      }
    }
    for (const ref of ['a; b', 'a;b=1', 'x=1', "a;'=1"]) {
      await addPayouts(tenant, beneficiaryId, bankAccountId, { ref, name: ref });
    }
    const { text } = await harness.rest('GET', transactions, { key: tenant.key });
    const pieces = text.split(/[;\t\r\n]/).map((piece) => piece.replace(/^["\s]*/, ''));
    expect(pieces.length).toBeGreaterThan(signs.length * before.length * 2);
    expect(pieces.filter((piece) => signs.includes(piece.slice(0, 1)))).toEqual([]);
    expect(text).toContain(`,a;'=1;'=1,`);
    // What begins no formula stays as it is.
    for (const ref of ['a; b', 'a;b=1', 'x=1', `a;'=1`]) expect(text).toContain(`,${ref},`);
  });

  it('filters by beneficiary, states and time of creation', async () => {
    const tenant = await makeTenant(harness);
    const [ada, adaAccount] = await payee(tenant);
    const [bob, bobAccount] = await payee(tenant);
    const add = async (who: string, account: string, facts: PayoutFacts) =>
      (await addPayouts(tenant, who, account, facts))[0] ?? '';
    const oldest = await add(ada, adaAccount, { createdAt: '2026-01-01T00:00:00Z' });
    const settled = await add(bob, bobAccount, {
      state: 'settled',
      createdAt: '2026-02-01T00:00:00Z',
    });
    const failed = await add(ada, adaAccount, {
      state: 'failed',
      createdAt: '2026-03-01T00:00:00Z',
    });
    const list = async (query: string) =>
      idsOf((await harness.rest('GET', `${transactions}?${query}`, { key: tenant.key })).text);
    expect(await list('')).toEqual([oldest, settled, failed]);
    expect(await list(`beneficiary_id=${ada}`)).toEqual([oldest, failed]);
    expect(await list('state=settled')).toEqual([settled]);
    expect(await list('state=settled&state=failed')).toEqual([settled, failed]);
    expect(await list('created_since=2026-02-01T00:00:00Z')).toEqual([settled, failed]);
    expect(await list('created_before=2026-02-01T00:00:00Z')).toEqual([oldest]);
    expect(await list('created_since=2026-02-01T01:00:00%2B01:00&state=settled')).toEqual([
      settled,
    ]);
    expect(await list(`beneficiary_id=${ada}&state=settled`)).toEqual([]);
  });

  it('answers ids that are unknown, malformed or of another tenant alike: the header row', async () => {
    const tenant = await makeTenant(harness);
    const other = await makeTenant(harness);
    const [foreign, foreignAccount] = await payee(other);
    await addPayouts(other, foreign, foreignAccount);
    const hostile = ["' OR true --", "\\' OR 1=1; --", '\0', `${foreign}'`];
    for (const id of [foreign, newId('beneficiary'), newId('payout'), '', ...hostile]) {
      const path = `${transactions}?beneficiary_id=${encodeURIComponent(id)}`;
      const answer = await harness.rest('GET', path, { key: tenant.key });
      expect([answer.status, answer.text]).toEqual([200, `${header}\r\n`]);
    }
    const all = await harness.rest('GET', transactions, { key: tenant.key });
    expect(all.text).toBe(`${header}\r\n`);
  });

  it.each([
    ['states=settled', 'states', 'unknown_field'],
    ['state=settled&state=paid', 'state[1]', 'invalid_value'],
    ['created_since=yesterday', 'created_since', 'invalid_format'],
    ['created_before=2026-01-01', 'created_before', 'invalid_format'],
    ['beneficiary_id=a&beneficiary_id=b', 'beneficiary_id', 'invalid_type'],
  ])('refuses ?%s', async (query, field, code) => {
    const { key } = await makeTenant(harness);
    const answer = await harness.rest('GET', `${transactions}?${query}`, { key });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('validation_failed');
    expect(answer.body.error.details).toMatchObject([{ field, code }]);
  });

  it('streams ten thousand rows, each once', async () => {
    const tenant = await makeTenant(harness);
    const [beneficiaryId, bankAccountId] = await payee(tenant);
    const ids = await addPayouts(tenant, beneficiaryId, bankAccountId, {}, 10_000);
    const { text } = await harness.rest('GET', transactions, { key: tenant.key });
    expect(idsOf(text)).toEqual(ids.toSorted());
  });
});

describe('GET /v1/beneficiaries/export', () => {
  it('holds id, name, type and compliance of those not archived, and nothing of other tenants', async () => {
    const tenant = await makeTenant(harness);
    await addBeneficiary(await makeTenant(harness));
    const person = await addBeneficiary(tenant, { name: ['Zoë', 'O"Hara, Jr'] });
    const business = await addBeneficiary(tenant, { business: '=Evil & Co' });
    await addBeneficiary(tenant, { archived: true });
    const answer = await harness.rest('GET', beneficiaries, { key: tenant.key });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toContain('filename="beneficiaries-sandbox-');
    expect(answer.text).toBe(
      'beneficiary_id,name,beneficiary_type,compliance_status\r\n' +
        `${person},"Zoë O""Hara, Jr",person,compliant\r\n` +
        `${business},'=Evil & Co,business,compliant\r\n`,
    );
  });

  it('takes no parameters', async () => {
    const { key } = await makeTenant(harness);
    const answer = await harness.rest('GET', `${beneficiaries}?limit=5`, { key });
    expect(answer.body.error.details).toMatchObject([{ field: 'limit', code: 'unknown_field' }]);
  });
});

describe('who may export', () => {
  it.each([transactions, beneficiaries])('%s: every role, nobody without a key', async (path) => {
    const tenant = await makeTenant(harness);
    const viewer = await tenant.keyWithRole('viewer');
    expect((await harness.rest('GET', path, { key: viewer })).status).toBe(200);
    const refused = await harness.rest('GET', path);
    expect([refused.status, refused.body.error.code]).toEqual([401, 'unauthorized']);
  });

  it('names the file through GraphQL under the same rules', async () => {
    const tenant = await makeTenant(harness);
    const query =
      '{ transactionsExport { kind contentType columns } beneficiariesExport { kind columns } }';
    const { body } = await harness.graphql(tenant.key, query);
    expect(body.data.transactionsExport).toEqual({
      kind: 'transactions',
      contentType: 'text/csv; charset=utf-8',
      columns: header.split(','),
    });
    expect(body.data.beneficiariesExport.kind).toBe('beneficiaries');
    const refused = await harness.graphql(undefined, query);
    expect(refused.body.errors[0].extensions.code).toBe('unauthorized');
  });

  it('HEAD answers the headers and opens nothing', async () => {
    const { key } = await makeTenant(harness);
    const answer = await harness.rest('HEAD', transactions, { key });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });
});

describe('an export that is cut', () => {
  /** Starts a download and leaves after the first bytes. */
  async function start(path: string, key: string): Promise<IncomingMessage> {
    const sent = httpRequest(harness.baseUrl + path, {
      agent: false,
      headers: { authorization: `Bearer ${key}` },
    });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await once(answer, 'readable');
    return answer;
  }

  const copies = async () => {
    const { rows } = await harness.database.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE 'COPY%'`,
    );
    return rows;
  };

  const lentOut = () => harness.services.pool.totalCount - harness.services.pool.idleCount;

  async function bigTenant(): Promise<TestTenant> {
    const tenant = await makeTenant(harness);
    const [beneficiaryId, bankAccountId] = await payee(tenant);
    // More than the sockets' buffers take, so that the COPY is still under way.
    const name = 'n'.repeat(2_000);
    await addPayouts(tenant, beneficiaryId, bankAccountId, { name }, 10_000);
    return tenant;
  }

  it('ends the COPY and gives the connection back when the caller leaves', async () => {
    const { key } = await bigTenant();
    const answer = await start(transactions, key);
    expect(await copies()).toHaveLength(1);
    expect(lentOut()).toBe(1);
    answer.destroy();
    await eventually(async () => (await copies()).length === 0);
    await eventually(() => Promise.resolve(lentOut() === 0));
    // More than there are places: the cut ones were given back.
    for (let i = 0; i < 4; i += 1) (await start(transactions, key)).destroy();
    await eventually(() => Promise.resolve(lentOut() === 0));
    expect((await harness.rest('GET', beneficiaries, { key })).status).toBe(200);
  });

  it('gives the connection back when the caller leaves before the first row', async () => {
    const { key } = await makeTenant(harness);
    const holder = await harness.database.pool.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE beneficiary IN ACCESS EXCLUSIVE MODE');
      const sent = httpRequest(harness.baseUrl + beneficiaries, {
        agent: false,
        headers: { authorization: `Bearer ${key}` },
      });
      sent.on('error', () => undefined).end();
      await eventually(async () => (await copies()).length === 1);
      sent.destroy();
      // The row is still waited for.
      await eventually(() => Promise.resolve(lentOut() === 0));
      await eventually(async () => (await copies()).length === 0);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect((await harness.rest('GET', beneficiaries, { key })).status).toBe(200);
  });

  it('cuts the answer when the database ends the COPY, and goes on serving', async () => {
    const { key } = await bigTenant();
    const answer = await start(transactions, key);
    const failed = once(answer, 'error');
    for (const { pid } of await copies()) {
      await harness.database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    }
    answer.resume();
    const [error] = (await failed) as [Error & { code?: string }];
    expect(error.code).toBe('ECONNRESET');
    await eventually(() => Promise.resolve(lentOut() === 0));
    expect((await harness.rest('GET', beneficiaries, { key })).status).toBe(200);
  });
});
