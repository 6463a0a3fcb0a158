import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { loadConfig } from '../../src/process/config.ts';
import type { StoredMail } from '../../dev/mailbox/mail.ts';
import { startMailbox, type Mailbox } from '../../dev/mailbox/server.ts';
import { MailNotSent } from '../../src/mail/send.ts';
import { europeanBank } from '../support/banking.ts';
import { newAddress } from '../support/beneficiaries.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { acceptedKey } from '../support/member-link.ts';
import { ask } from '../support/operator-banks.ts';

let folder: string;
let mailbox: Mailbox;
let harness: Harness;
let operator: { key: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'access-mail-'));
  mailbox = await startMailbox({ httpPort: 0, smtpPort: 0, file: join(folder, 'mails.jsonl') });
  harness = await startHarness({
    worker: false,
    env: { LOG_LEVEL: 'silent', SMTP_URL: mailbox.smtpUrl },
  });
  operator = await issueOperatorKey(harness.database.pool, 'On call');
});
afterAll(async () => {
  await harness.close();
  await mailbox.close();
  await rm(folder, { recursive: true });
});

type Job = Parameters<typeof handlers.send_access_mail>[0];

/** The jobs of the business's production that mail its owners and admins, with whom each goes to. */
async function jobsOf({ businessId }: TestTenant) {
  const { rows } = await harness.database.pool.query<{ payload: Job; email: string }>(
    `SELECT j.payload, u.email_key AS email FROM graphile_worker._private_jobs j
     JOIN membership m ON m.id = j.payload ->> 'membershipId' JOIN app_user u ON u.id = m.user_id
     WHERE m.business_id = $1 AND j.payload ->> 'changeId' IS NOT NULL ORDER BY m.id`,
    [businessId],
  );
  return rows;
}

async function mailsTo(address: string): Promise<StoredMail[]> {
  const answer = await fetch(`${mailbox.url}/mails.json`);
  const { mails } = (await answer.json()) as { mails: StoredMail[] };
  return mails.filter((mail) => mail.to.includes(address));
}

async function connected(tenant: TestTenant): Promise<string> {
  const given = { businessId: tenant.businessId, ...europeanBank };
  return (await ask(harness, operator.key, 'connect', given)).body.data.done.id;
}

/** Another member of the business. */
async function memberWith(tenant: TestTenant, role: 'admin' | 'viewer') {
  const { me } = (
    await harness.graphql(await tenant.keyWithRole(role), '{ me { membershipId userId } }')
  ).body.data;
  return { id: String(me.membershipId), userId: String(me.userId) };
}

test('each owner and admin is told of a bank connection, and nobody else', async () => {
  const tenant = await makeTenant(harness);
  await tenant.keyWithRole('admin');
  await tenant.keyWithRole('developer');
  const connectionId = await connected(tenant);
  const jobs = await jobsOf(tenant);
  expect(jobs).toHaveLength(2);
  for (const { payload, email } of jobs) {
    await handlers.send_access_mail(payload, harness.services);
    await handlers.send_access_mail(payload, harness.services);
    const sent = await mailsTo(email);
    expect(new Set(sent.map((mail) => mail.message_id)).size).toBe(1);
    expect(sent[0]?.subject).toBe('Test Business: a change of where money or secrets go');
    expect(sent[0]?.text).toContain(
      `An account at a bank or a provider was connected: ${connectionId}.`,
    );
    expect(sent[0]?.text).toContain('(production) by an operator of the platform');
    expect(JSON.stringify(sent)).not.toContain('not for anybody to see');
  }
});

test('the mail of a change says what was changed', async () => {
  const tenant = await makeTenant(harness);
  const connectionId = await connected(tenant);
  const { businessId } = tenant;
  const transport = { ...europeanBank.transport, host: 'new.bank.example' };
  await ask(harness, operator.key, 'change', { businessId, connectionId, version: 1, transport });
  const [, changed] = await jobsOf(tenant);
  if (changed === undefined) throw new Error('the change has no job');
  await handlers.send_access_mail(changed.payload, harness.services);
  expect((await mailsTo(changed.email))[0]?.text).toContain(
    `The connection ${connectionId} to a bank or a provider was changed: transport, credentials.`,
  );
});

test('without a server nothing is sent, and a lost mail is tried again', async () => {
  const tenant = await makeTenant(harness);
  await connected(tenant);
  const [job] = await jobsOf(tenant);
  if (job === undefined) throw new Error('the connection has no job');
  const smtp = (url: string) => ({
    ...harness.services,
    config: loadConfig({ NODE_ENV: 'test', DATABASE_URL: harness.database.url, SMTP_URL: url }),
  });
  await handlers.send_access_mail(job.payload, smtp(''));
  await expect(handlers.send_access_mail(job.payload, smtp('smtp://127.0.0.1:9'))).rejects.toThrow(
    MailNotSent,
  );
  expect(await mailsTo(job.email)).toEqual([]);
});

test('a manager who loses or gets role or membership is told of it, as the other managers are', async () => {
  const tenant = await makeTenant(harness, { environment: 'production' });
  const { id, userId } = await memberWith(tenant, 'admin');
  const viewer = await memberWith(tenant, 'viewer');
  const run = async (mutation: string, variables: Record<string, unknown>) => {
    const answer = await harness.graphql(tenant.key, mutation, variables);
    expect(answer.body.errors).toBeUndefined();
  };
  const change = `mutation ($id: ID!, $role: Role!) { memberRoleChange(id: $id, role: $role) { id } }`;
  const remove = `mutation ($id: ID!) { memberRemove(id: $id) { id } }`;
  await run(change, { id, role: 'developer' });
  await run(change, { id, role: 'admin' });
  await run(remove, { id });
  await run(remove, { id: viewer.id });
  const jobs = await jobsOf(tenant);
  expect(jobs).toHaveLength(6);
  for (const { payload } of jobs) await handlers.send_access_mail(payload, harness.services);
  const { rows } = await harness.database.pool.query<{ email: string }>(
    'SELECT email_key AS email FROM app_user WHERE id = $1',
    [userId],
  );
  const texts = (await mailsTo(rows[0]?.email ?? '')).map(({ text }) => text);
  expect(texts).toHaveLength(3);
  expect(texts.join()).toContain(`${id} has the role developer instead of admin`);
  expect(texts.join()).toContain(`${id} has the role admin instead of developer`);
  expect(texts.join()).toContain(`${id}, who had the role admin, was removed`);
});

test('each owner and admin is told of another one who joins production, and of nobody else', async () => {
  for (const [environment, role, mails] of [
    ['production', 'admin', 2],
    ['production', 'developer', 0],
    ['sandbox', 'admin', 0],
  ] as const) {
    const tenant = await makeTenant(harness, { environment });
    await harness.database.pool.query(
      `UPDATE business SET profile_status = 'accepted' WHERE id = $1`,
      [tenant.businessId],
    );
    const invite = `mutation ($email: String!, $role: Role!) { memberInvite(email: $email, role: $role) { id } }`;
    const { body } = await harness.graphql(tenant.key, invite, { email: newAddress(), role });
    const id: string = body.data.memberInvite.id;
    await acceptedKey(harness, id);
    // A further key of theirs is nothing new.
    const again = 'mutation ($id: ID!) { memberInvitationSend(id: $id) { id } }';
    await harness.graphql(tenant.key, again, { id });
    await acceptedKey(harness, id);
    const jobs = await jobsOf(tenant);
    expect(jobs).toHaveLength(mails);
    for (const { payload, email } of jobs) {
      await handlers.send_access_mail(payload, harness.services);
      expect((await mailsTo(email))[0]?.text).toContain(`${id} joined with the role ${role}.`);
    }
  }
});
