import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { mailboxKeys, mailboxOf } from '../../src/access/rate-limit/mailbox.ts';
import { removeExpiredLimits } from '../../src/access/rate-limit/store.ts';
import { newAddress } from '../support/beneficiaries.ts';
import { makeTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { codeOf, register, tryRegister } from '../support/registration-proof.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { holderOf, signInRequest } from '../support/sessions.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({
  worker: false,
  env: {
    // Half of it, 3 and 5, is for tenants without an accepted profile, and as much for mails of proof.
    MAILS_PER_MAILBOX_HOUR: '6',
    MAILS_PER_MAILBOX_DAY: '10',
    SIGN_IN_MAILS_PER_HOUR: '2',
    REGISTRATION_RATE_LIMIT: '1000',
    COLLECTION_RESEND_SECONDS: '1',
  },
});

const row = (email: string) => ({
  email,
  beneficiary_type: 'business',
  business_name: 'Engines Ltd',
});
const invite = (key: string, invites: readonly unknown[]): Promise<RestAnswer> =>
  harness.rest('POST', '/v1/beneficiaries/collection-invites', { key, body: { invites } });
const codes = ({ body }: RestAnswer): (string | null)[] =>
  body.results.map((one: { error: { code: string } | null }) => one.error?.code ?? null);
const inviteMember = (key: string, email: string) =>
  harness.graphql(
    key,
    'mutation ($email: String!) { memberInvite(email: $email, role: viewer) { id } }',
    { email },
  );
const jobs = async (task: string): Promise<number> => {
  const { rows } = await harness.database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE task_identifier = $1',
    [task],
  );
  return rows[0]?.count ?? 0;
};
const beyond = 'too_many_requests';
const accept = (businessId: string) =>
  harness.database.pool.query(`UPDATE business SET profile_status = 'accepted' WHERE id = $1`, [
    businessId,
  ]);

describe('the mailbox of an address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['ada+payouts+2@example.com', 'ada@example.com'],
    ['a.d.a@example.com', 'a.d.a@example.com'],
    ['a.d.a+x@gmail.com', 'ada@gmail.com'],
    ['ada@googlemail.com', 'ada@gmail.com'],
    ['a+x@example.com', 'a@example.com'],
    ['+x@example.com', '+x@example.com'],
  ])('%s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });
});

describe('mails to one mailbox', () => {
  it('are bounded over all tenants, whatever the tag and the case, and others are not', async () => {
    const [one, two] = [await makeTenant(harness), await makeTenant(harness)];
    const mailbox = `ada-${randomUUID()}`;
    const first = await invite(one.key, [
      row(`${mailbox}@example.com`),
      row(`${mailbox}+1@example.com`),
    ]);
    expect(codes(first)).toEqual([null, null]);
    const other = newAddress();
    const second = await invite(two.key, [
      row(`${mailbox.toUpperCase()}@example.com`),
      row(`${mailbox}+2@example.com`),
      row(other),
    ]);
    expect(codes(second)).toEqual([null, beyond, null]);
    // Who was not mailed was not registered either.
    const { rows } = await harness.database.pool.query(
      'SELECT 1 FROM beneficiary WHERE tenant_id = $1',
      [two.tenantId],
    );
    expect(rows).toHaveLength(2);
    expect(codeOf(await inviteMember(one.key, `${mailbox}+3@example.com`))).toBe(beyond);
  });

  it('count whoever is named by an id, too', async () => {
    const tenant = await makeTenant(harness);
    const email = newAddress();
    const made = await invite(tenant.key, [row(email)]);
    const id: string = made.body.results[0].beneficiary_id;
    for (const [used, expected] of [
      [2, null],
      [3, null],
      [4, beyond],
    ] as const) {
      await harness.database.pool.query(
        `UPDATE collection_request SET created_at = created_at - interval '1 minute' WHERE tenant_id = $1`,
        [tenant.tenantId],
      );
      expect(codes(await invite(tenant.key, [{ beneficiary_id: id }])), `mail ${used}`).toEqual([
        expected,
      ]);
    }
  });

  it('are bounded by the day beyond the hour, and counters that are over go', async () => {
    const tenant = await makeTenant(harness);
    const mailbox = `ada-${randomUUID()}`;
    const address = (n: number) => row(`${mailbox}+${n}@example.com`);
    expect(codes(await invite(tenant.key, [1, 2, 3, 4].map(address)))).toEqual([
      null,
      null,
      null,
      beyond,
    ]);
    const key = (await mailboxKeys(harness.services))(`${mailbox}@example.com`);
    const end = (window: string) =>
      harness.database.pool.query(
        `UPDATE rate_limit SET expires_at = now() - interval '1 s' WHERE scope = $1`,
        [`mailbox-${window}:${key}`],
      );
    expect((await end('hour')).rowCount).toBe(1);
    expect(codes(await invite(tenant.key, [5, 6, 7].map(address)))).toEqual([null, null, beyond]);
    expect((await end('hour')).rowCount).toBe(1);
    expect((await end('day')).rowCount).toBe(1);
    await removeExpiredLimits(harness.services.pool);
    expect((await end('day')).rowCount).toBe(0);
    const { rows } = await harness.database.pool.query('SELECT scope FROM rate_limit');
    for (const { scope } of rows) expect(scope).not.toContain(mailbox);
  });

  it('are not exceeded by two who mail at once', async () => {
    const tenants = [await makeTenant(harness), await makeTenant(harness)];
    const mailbox = `ada-${randomUUID()}`;
    const key = (await mailboxKeys(harness.services))(`${mailbox}@example.com`);
    const holder = await harness.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO rate_limit (scope, used, expires_at) VALUES ($1, 2, now() + interval '1 hour')`,
      [`mailbox-hour:${key}`],
    );
    const calls = tenants.map((tenant) => invite(tenant.key, [row(`${mailbox}@example.com`)]));
    await sessionsWait(harness.database.pool, 2);
    await holder.query('COMMIT');
    holder.release();
    const answers = (await Promise.all(calls)).flatMap(codes);
    expect(answers.filter((code) => code === null)).toHaveLength(1);
    expect(answers).toContain(beyond);
  });

  it('of tenants that nobody has looked at leave half to the others, and the refusal tells nothing', async () => {
    const [unknown, known] = [await makeTenant(harness), await makeTenant(harness)];
    await accept(known.businessId);
    const mailbox = `ada-${randomUUID()}`;
    const address = (n: number) => row(`${mailbox}+${n}@example.com`);
    const some = await invite(unknown.key, [1, 2, 3, 4, 5].map(address));
    expect(codes(some)).toEqual([null, null, null, beyond, beyond]);
    const others = await invite(known.key, [6, 7, 8, 9].map(address));
    expect(codes(others)).toEqual([null, null, null, beyond]);

    const { pool } = harness.database;
    await pool.query(
      `INSERT INTO rate_limit (scope, used, expires_at) VALUES ($1, 1000000, now() + interval '1 hour')
       ON CONFLICT (scope) DO UPDATE SET used = excluded.used`,
      [`collection-mail:${unknown.tenantId}`],
    );
    const ofTenant = await invite(unknown.key, [row(newAddress())]);
    const text = ({ body }: RestAnswer): string => body.results.at(-1).error.message;
    expect(text(some)).toBe(text(ofTenant));
    expect(text(others)).toBe(text(ofTenant));
  });

  it('shut the holder of the mailbox out of nothing, whatever tenants have mailed there', async () => {
    const [tenant, known] = [await makeTenant(harness), await makeTenant(harness)];
    await accept(known.businessId);
    const name = `ada-${randomUUID()}`;
    const email = `${name}@example.com`;
    const addresses = [1, 2, 3, 4, 5, 6, 7].map((n) => row(`${name}+${n}@example.com`));
    await invite(tenant.key, addresses);
    expect(codes(await invite(known.key, addresses))).toContain(beyond);
    for (let n = 1; n < 6; n += 1) await register(harness, `${name}+${n}@example.com`);

    const registered = await jobs('send_registration_mail');
    await register(harness, email);
    expect(await jobs('send_registration_mail')).toBe(registered + 1);
    const offers = await jobs('send_proof_mail');
    expect(codeOf(await tryRegister(harness, email))).toBe('EMAIL_ALREADY_REGISTERED');
    expect(await jobs('send_proof_mail')).toBe(offers + 1);
    const links = await jobs('send_sign_in_mail');
    expect((await signInRequest(harness, '/auth/link', { email })).status).toBe(202);
    expect(await jobs('send_sign_in_mail')).toBe(links + 1);
  });

  it('are not sent for registrations beyond it, and no answer tells', async () => {
    const name = `ada-${randomUUID()}`;
    const before = await jobs('send_registration_mail');
    for (let n = 0; n < 5; n += 1) await register(harness, `${name}+${n}@example.com`);
    expect(await jobs('send_registration_mail')).toBe(before + 3);
    const offers = await jobs('send_proof_mail');
    expect(codeOf(await tryRegister(harness, `${name}+1@example.com`))).toBe(
      'EMAIL_ALREADY_REGISTERED',
    );
    expect(await jobs('send_proof_mail')).toBe(offers);
  });

  it('bound the links of who has not proven an address, and lock nobody out who has', async () => {
    const name = `ada-${randomUUID()}`;
    const ask = (email: string) => signInRequest(harness, '/auth/link', { email });
    for (let n = 0; n < 3; n += 1) await register(harness, `${name}+${n}@example.com`);
    const before = await jobs('send_sign_in_mail');
    for (let n = 0; n < 3; n += 1) {
      expect((await ask(`${name}+${n}@example.com`)).status).toBe(202);
    }
    expect(await jobs('send_sign_in_mail')).toBe(before);

    const tenant = await makeTenant(harness);
    const { email } = await holderOf(harness, tenant.key);
    const local = email.slice(0, email.indexOf('@'));
    await invite(
      tenant.key,
      [1, 2, 3, 4].map((n) => row(`${local}+${n}@example.com`)),
    );
    expect((await ask(email)).status).toBe(202);
    expect(await jobs('send_sign_in_mail')).toBe(before + 1);
  });
});
