import { beforeAll, describe, expect, it } from 'vitest';
import { beneficiaryCalls, newAddress } from '../support/beneficiaries.ts';
import type { RestAnswer } from '../support/harness.ts';
import { storedEmails } from '../support/stored-emails.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

let calls: ReturnType<typeof beneficiaryCalls>;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  calls = beneficiaryCalls(harness, tenant.key);
});

const path = '/v1/beneficiaries/bulk-invites';

/** Sends a file, as bytes. */
async function csv(body: string | Uint8Array, type = 'text/csv'): Promise<RestAnswer> {
  const answer = await fetch(harness.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': type },
    body: Buffer.from(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
}

const json = (rows: unknown): Promise<RestAnswer> =>
  harness.rest('POST', path, { key: tenant.key, body: { rows } });

/** What became of each row, in one word or code. */
function toldOf(answer: RestAnswer): string[] {
  return answer.body.results.map(
    ({
      status,
      error,
    }: {
      status: string;
      error: { code: string; details?: { field: string; code: string }[] } | null;
    }) =>
      error === null
        ? status
        : [error.code, ...(error.details ?? []).map((one) => `${one.field} ${one.code}`)].join(' '),
  );
}

/** The one detail of a refusal as a whole. */
function refusal(answer: RestAnswer): string {
  expect([answer.status, answer.body.error?.code], answer.text).toEqual([400, 'validation_failed']);
  const [detail] = answer.body.error.details;
  return `${detail.field} ${detail.code}`;
}

async function people(emails: readonly string[]) {
  const stored = await storedEmails(harness, tenant.tenantId);
  const { rows } = await harness.database.pool.query<Record<string, string | null>>(
    `SELECT id, beneficiary_type, first_name, last_name, business_name, nickname FROM beneficiary
     WHERE tenant_id = $1`,
    [tenant.tenantId],
  );
  const known = rows.map(({ id, ...names }) => ({ email: stored.get(id ?? '') ?? '', ...names }));
  return emails.flatMap((email) => known.filter((one) => one.email === email));
}

describe('a CSV file', () => {
  it('is read whatever the order of its columns, with quotes, line breaks and a byte order mark', async () => {
    const [a, b, c] = [newAddress(), newAddress(), newAddress()];
    const lines = [
      '\ufeffnickname,email,"beneficiary_type",business_name,scope,last_name,first_name',
      `"The ""Countess"", Ada",${a},person,,,"Love\nlace",Ada`,
      '',
      `,${b},business,"Engines, Ltd",bank_details,,`,
      `Zürich 東京, ${c} ,person,,full_onboarding,Hopper,Grace`,
    ];
    const answer = await csv(lines.join('\r\n'));
    expect(answer.status, answer.text).toBe(200);
    // A control character in a name is refused, whether quoted or not.
    expect(toldOf(answer)).toEqual([
      'validation_failed rows[0].last_name invalid_format',
      'invited',
      'invited',
    ]);
    expect(answer.body.summary).toEqual({ total: 3, invited: 2, failed: 1 });
    expect(answer.body.results[1].collection_request.scope).toBe('bank_details');
    expect(await people([a, b, c])).toMatchObject([
      { email: b, business_name: 'Engines, Ltd', nickname: null, first_name: null },
      { email: c, first_name: 'Grace', last_name: 'Hopper', nickname: 'Zürich 東京' },
    ]);
  });

  it('may name a language in each row', async () => {
    const [a, b, c] = [newAddress(), newAddress(), newAddress()];
    const answer = await csv(`email,beneficiary_type,first_name,last_name,language
${a},person,Ada,King,pt
${b},person,Ada,King,
${c},person,Ada,King,ja`);
    expect(toldOf(answer)).toEqual([
      'invited',
      'invited',
      'validation_failed rows[2].language invalid_value',
    ]);
    const { rows } = await harness.database.pool.query(
      'SELECT r.beneficiary_id, r.language FROM collection_request r WHERE r.tenant_id = $1',
      [tenant.tenantId],
    );
    const stored = await storedEmails(harness, tenant.tenantId);
    const languages = new Map(rows.map((row) => [stored.get(row.beneficiary_id), row.language]));
    expect([a, b, c].map((email) => languages.get(email))).toEqual(['pt', null, undefined]);
  });

  it.each(['\n', '\r\n', '\r'])('may end its lines with %j', async (end) => {
    const row = `${newAddress()},person,Ada,"Love ""lace"""`;
    const answer = await csv(`email,beneficiary_type,first_name,last_name${end}${row}${end}`);
    expect(toldOf(answer)).toEqual(['invited']);
  });

  it('has rows that fail alone', async () => {
    const email = newAddress();
    const taken = newAddress();
    await calls.created({
      beneficiary_type: 'business',
      email: taken,
      business_name: 'Engines Ltd',
    });
    const answer = await csv(`email,beneficiary_type,first_name,last_name,scope
${email},person,Ada,Lovelace,
${email.toUpperCase()},person,Ada,Lovelace,
${newAddress()},person,Ada
${newAddress()},person,Ada,Lovelace,,surplus
${newAddress()},robot,Ada,Lovelace,
${newAddress()},person,Ada,,
${taken},person,Ada,Lovelace,
,person,Ada,Lovelace,
${newAddress()},person,Ada,Lovelace,everything
${newAddress()},person,Ada,Lovelace,tax_documents
`);
    expect(toldOf(answer)).toEqual([
      'invited',
      'validation_failed rows[1].email duplicate',
      'validation_failed rows[2] invalid_row',
      'validation_failed rows[3] invalid_row',
      'validation_failed rows[4].beneficiary_type invalid_value',
      'BENEFICIARY_IDENTITY_INCOMPLETE',
      'BENEFICIARY_EMAIL_ALREADY_EXISTS',
      'validation_failed rows[7].email required',
      'validation_failed rows[8].scope invalid_value',
      'invited',
    ]);
  });

  it('is refused as a whole where it is none, with a code for each fault', async () => {
    const row = `${newAddress()},person,Ada,Lovelace`;
    const header = 'email,beneficiary_type,first_name,last_name';
    expect(refusal(await csv(''))).toBe('csv csv_column_missing');
    expect(refusal(await csv(row))).toBe('csv csv_column_unknown');
    expect(refusal(await csv(`email,first_name\n${row}`))).toBe('csv csv_column_missing');
    expect(refusal(await csv(`${header},phone\n${row},1`))).toBe('csv csv_column_unknown');
    expect(refusal(await csv(`${header},email\n${row},x`))).toBe('csv csv_column_repeated');
    expect(refusal(await csv(`${header}\n"${row}`))).toBe('csv csv_quoting_invalid');
    expect(refusal(await csv(`${header}\nx"${row}"`))).toBe('csv csv_quoting_invalid');
    expect(refusal(await csv(`${header}\n"a"b,person,A,L`))).toBe('csv csv_quoting_invalid');
    expect(refusal(await csv(Buffer.from(`${header}\n${row}\xff`, 'latin1')))).toBe(
      'csv csv_encoding_invalid',
    );
    expect(refusal(await csv(Buffer.from(`${header}\n`, 'utf16le')))).toMatch(/^csv csv_/);
    expect(refusal(await csv(`${header}\n`))).toBe('rows too_short');
    expect(refusal(await csv(`${header}\n${`${row}\n`.repeat(1_001)}`))).toBe('rows too_long');
    // Nothing of the file is repeated.
    expect((await csv(`canary@example.com\n${row}`)).text).not.toContain('canary');
    expect(await people([row.split(',')[0] ?? ''])).toEqual([]);
  });

  it('has no row for a line without a value, as spreadsheets write them', async () => {
    const row = `${newAddress()},person,Ada,Lovelace`;
    const empty = ',,,\r\n'.repeat(1_500);
    const answer = await csv(`email,beneficiary_type,first_name,last_name\r\n${row}\r\n${empty}`);
    expect(toldOf(answer)).toEqual(['invited']);
  });

  it('is refused before it is taken apart where it has far too many lines, or too long ones', async () => {
    const header = 'email,beneficiary_type';
    const megabytes = 5 * 1024 * 1024 - 100;
    for (const line of ['a\n', ',\r', '\n']) {
      const body = `${header}\n${line.repeat(megabytes / line.length)}`;
      expect(refusal(await csv(body))).toBe('csv too_long');
    }
    expect(refusal(await csv(','.repeat(megabytes)))).toBe('csv csv_row_too_long');
    const quoted = `"${'a\n'.repeat(15_000)}${'b'.repeat(40_000)}"`;
    expect(refusal(await csv(`${header}\n${quoted}`))).toBe('csv csv_row_too_long');
    // What follows the first row too many is not read.
    const surplus = `${newAddress()},person\n`.repeat(1_100);
    expect(refusal(await csv(`${header}\n${surplus}"`))).toBe('rows too_long');
  });

  it('is taken with its charset, and refused as another type or over 5 MiB', async () => {
    const body = `email,beneficiary_type,first_name,last_name\n${newAddress()},person,A,L`;
    for (const type of ['text/csv; charset=UTF-8', 'text/csv;header=present; charset="utf-8"']) {
      expect((await csv(body, type)).status).toBe(200);
    }
    for (const type of ['text/csv; charset=latin1', 'text/plain', 'application/json']) {
      const answer = await csv(body, type);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request']);
    }
    const large = await csv(`${body}${'\n'.repeat(5 * 1024 * 1024)}`);
    expect([large.status, large.body.error.code]).toEqual([413, 'bad_request']);
    const elsewhere = await harness.rest('POST', '/v1/beneficiaries', {
      key: tenant.key,
      body,
      headers: { 'content-type': 'text/csv' },
    });
    expect(elsewhere.status).toBe(400);
  });
});

describe('rows as JSON', () => {
  it('are answered as those of a file', async () => {
    const email = newAddress();
    const answer = await json([
      { email, beneficiary_type: 'person', first_name: 'Ada', last_name: 'Lovelace' },
      { email: 'nobody', beneficiary_type: 'person' },
      { beneficiary_id: 'ben_1' },
      { email, beneficiary_type: 'person' },
    ]);
    expect(toldOf(answer)).toEqual([
      'invited',
      'validation_failed rows[1].email invalid_format',
      'validation_failed rows[2].beneficiary_id unknown_field',
      'validation_failed rows[3].email duplicate',
    ]);
    for (const body of [{}, { rows: [] }, { rows: [{}], csv: 'x' }, { csv: 'eA==' }]) {
      const refused = await harness.rest('POST', path, { key: tenant.key, body });
      expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_failed']);
    }
  });

  it('are up to 1,000, and a repetition of the call registers nobody twice', async () => {
    const rows = Array.from({ length: 1_000 }, () => ({
      email: newAddress(),
      beneficiary_type: 'person',
      first_name: 'Ada',
      last_name: 'Lovelace',
    }));
    const first = await json(rows);
    expect(first.body.summary).toEqual({ total: 1_000, invited: 1_000, failed: 0 });
    const again = await json(rows);
    expect(again.body).toEqual(first.body);
    expect(await people(rows.map(({ email }) => email))).toHaveLength(1_000);
  });

  it('over GraphQL are rows or a file, not both and not neither', async () => {
    const row = {
      email: newAddress(),
      beneficiaryType: 'person',
      firstName: 'Ada',
      lastName: 'Lovelace',
    };
    const file = Buffer.from(`email,beneficiary_type\n${row.email},person`).toString('base64');
    const run = (variables: Record<string, unknown>) =>
      harness.graphql(
        tenant.key,
        `mutation ($rows: [CollectionInviteInput], $csv: Base64Bytes) {
          collectionInviteBulk(rows: $rows, csv: $csv) {
            status beneficiaryId collectionRequest { id state createdBy } error { code }
          }
        }`,
        variables,
      );
    const [made] = (await run({ rows: [row] })).body.data.collectionInviteBulk;
    expect(made).toMatchObject({
      status: 'invited',
      collectionRequest: { state: 'live', createdBy: { type: 'member' } },
    });
    expect((await run({ csv: file })).body.data.collectionInviteBulk).toEqual([made]);
    for (const variables of [{}, { rows: [row], csv: file }]) {
      const answer = await run(variables);
      expect(answer.body.errors[0].extensions.code).toBe('validation_failed');
    }
  });
});
