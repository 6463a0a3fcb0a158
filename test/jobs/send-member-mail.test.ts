import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { loadConfig } from '../../src/process/config.ts';
import type { StoredMail } from '../../dev/mailbox/mail.ts';
import { startMailbox, type Mailbox } from '../../dev/mailbox/server.ts';
import { MailNotSent } from '../../src/mail/send.ts';
import type { Services } from '../../src/process/services.ts';
import { makeTenant } from '../support/factory.ts';
import { startHarness, type Harness, type RestAnswer } from '../support/harness.ts';

let folder: string;
let mailbox: Mailbox;
let harness: Harness;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'member-mail-'));
  mailbox = await startMailbox({ httpPort: 0, smtpPort: 0, file: join(folder, 'mails.jsonl') });
  harness = await startHarness({
    worker: false,
    env: {
      LOG_LEVEL: 'silent',
      SMTP_URL: mailbox.smtpUrl,
      COLLECTION_MAILS_PER_DAY_THIN: '3',
    },
  });
});
afterAll(async () => {
  await harness.close();
  await mailbox.close();
  await rm(folder, { recursive: true });
});

const inviteMutation =
  'mutation ($email: String!) { memberInvite(email: $email, role: approver) { id } }';

/** Invites somebody and gives the job that mails them, as the worker would get it. */
async function invited(key: string, email: string) {
  const answer = await harness.graphql(key, inviteMutation, { email });
  const member: string = answer.body.data.memberInvite.id;
  const { rows } = await harness.database.pool.query<{
    payload: { tenantId: string; invitationId: string };
  }>(
    `SELECT j.payload FROM graphile_worker._private_jobs j JOIN member_invitation i
       ON i.id::text = j.payload ->> 'invitationId' WHERE i.membership_id = $1`,
    [member],
  );
  const job = rows[0]?.payload;
  if (job === undefined) throw new Error('the invitation has no job');
  expect(Object.keys(job).toSorted()).toEqual(['invitationId', 'tenantId']);
  return { member, job };
}

async function mailsTo(address: string): Promise<StoredMail[]> {
  const answer = await fetch(`${mailbox.url}/mails.json`);
  const { mails } = (await answer.json()) as { mails: StoredMail[] };
  return mails.filter((mail) => mail.to.includes(address));
}

const codeOf = (answer: RestAnswer): string | undefined => answer.body.errors?.[0].extensions.code;

test('the request in the mail gives the invited person a key, once', async () => {
  const tenant = await makeTenant(harness);
  const email = `${randomUUID()}@example.com`;
  const { member, job } = await invited(tenant.key, email);
  await handlers.send_member_mail(job, harness.services);
  await handlers.send_member_mail(job, harness.services);
  const sent = await mailsTo(email);
  expect(sent).toHaveLength(2);
  expect(new Set(sent.map((mail) => mail.message_id)).size).toBe(1);
  const [mail] = sent;
  expect(mail?.subject).toBe('Test Business: sign in, or get your API key');
  expect(mail?.text).toContain(`${harness.services.config.PUBLIC_URL}/graphql`);
  const body = /-d '(\{.*\})'/.exec(mail?.text ?? '')?.[1] ?? '';
  const answer = await harness.rest('POST', '/graphql', { body });
  const { key } = answer.body.data.memberAccept.apiKey;
  const { me } = (await harness.graphql(key, '{ me { membershipId role } }')).body.data;
  expect(me).toEqual({ membershipId: member, role: 'approver' });
  expect(codeOf(await harness.rest('POST', '/graphql', { body }))).toBe('conflict');
  // The invitation is used: another try of its job sends nothing.
  await handlers.send_member_mail(job, harness.services);
  expect(await mailsTo(email)).toHaveLength(2);
});

test('goes to the invited address, whatever its owner registers with', async () => {
  const tenant = await makeTenant(harness);
  const name = randomUUID();
  const { job } = await invited(tenant.key, `ada-${name}@Example.com`);
  const body = { email: `ADA-${name}@example.COM`, company_name: 'Mask' };
  expect((await harness.rest('POST', '/v1/registration', { body })).status).toBe(201);
  await handlers.send_member_mail(job, harness.services);
  expect(await mailsTo(`ada-${name}@example.com`)).toHaveLength(1);
});

test('without a server, or for an invitation that ended, nothing is sent; a lost one is tried again', async () => {
  const tenant = await makeTenant(harness);
  const email = `${randomUUID()}@example.com`;
  const { member, job } = await invited(tenant.key, email);
  const smtp = (url: string): Services => ({
    ...harness.services,
    config: loadConfig({ NODE_ENV: 'test', DATABASE_URL: harness.database.url, SMTP_URL: url }),
  });
  await handlers.send_member_mail(job, smtp(''));
  await expect(handlers.send_member_mail(job, smtp('smtp://127.0.0.1:9'))).rejects.toThrow(
    MailNotSent,
  );
  const remove = 'mutation ($id: ID!) { memberRemove(id: $id) { id } }';
  await harness.graphql(tenant.key, remove, { id: member });
  await handlers.send_member_mail(job, harness.services);
  expect(await mailsTo(email)).toEqual([]);
});

test('a business has so many mails a day, and who is beyond is not invited', async () => {
  const tenant = await makeTenant(harness);
  for (let mail = 0; mail < 3; mail += 1) {
    await invited(tenant.key, `${randomUUID()}@example.com`);
  }
  const email = `${randomUUID()}@example.com`;
  const refused = await harness.graphql(tenant.key, inviteMutation, { email });
  expect(codeOf(refused)).toBe('too_many_requests');
  const text = 'SELECT FROM app_user WHERE email_key = $1';
  expect((await harness.database.pool.query(text, [email])).rowCount).toBe(0);
});
