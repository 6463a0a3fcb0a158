import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import type { StoredMail } from '../../dev/mailbox/mail.ts';
import { startMailbox, type Mailbox } from '../../dev/mailbox/server.ts';
import { newAddress } from '../support/beneficiaries.ts';
import { bankAccount, formCalls, identity } from '../support/collection.ts';
import { eventually, makeTenant, type TestTenant } from '../support/factory.ts';
import { everythingAtRest, keepFinishedJobs } from './support.ts';
import { startHarness, type Harness, type RestAnswer } from '../support/harness.ts';

/** Values that may be nowhere in clear: in no column, no log line, no job, no answer. */
const canaries = new Map<string, string>();

function plant(name: string, value: string): string {
  canaries.set(name, value);
  return value;
}

/** What answers may show to the payee or the business, and nothing that lies anywhere may hold. */
const shown = new Map<string, string>();

function plantShown(name: string, value: string): string {
  shown.set(name, value);
  return value;
}

const logged: string[] = [];
const answered: string[] = [];
let folder: string;
let mailbox: Mailbox;
let harness: Harness;
let tenant: TestTenant;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'collection-canary-'));
  mailbox = await startMailbox({ httpPort: 0, smtpPort: 0, file: join(folder, 'mails.jsonl') });
  harness = await startHarness({ env: { SMTP_URL: mailbox.smtpUrl } });
  const { log } = harness.services;
  log.level = 'trace';
  Object.assign(log, { [pino.symbols.streamSym]: { write: (line: string) => logged.push(line) } });
  await keepFinishedJobs(harness.database.pool);
  tenant = await makeTenant(harness);
});
afterAll(async () => {
  await harness.close();
  await mailbox.close();
  await rm(folder, { recursive: true });
});

function found(haystack: string, planted = canaries): string[] {
  const text = haystack.toLowerCase();
  return [...planted].flatMap(([name, value]) => {
    const spellings = [value, Buffer.from(value).toString('hex')];
    return spellings.some((one) => text.includes(one.toLowerCase())) ? [name] : [];
  });
}

interface Invited {
  readonly token: string;
  readonly requestId: string;
}

let people = 0;

/** Invites somebody and reads the token in the mail that the worker sent. */
async function invite(scope: string): Promise<Invited> {
  people += 1;
  const email = plantShown(`address ${people}`, newAddress());
  const row = { email, beneficiary_type: 'person', first_name: 'A', last_name: 'L', scope };
  const answer = await harness.rest('POST', '/v1/beneficiaries/bulk-invites', {
    key: tenant.key,
    body: { rows: [row] },
  });
  answered.push(answer.text);
  const mail = await eventually(async () => {
    const list = (await (await fetch(`${mailbox.url}/mails.json`)).json()) as {
      mails: StoredMail[];
    };
    return list.mails.find(({ to }) => to.includes(email));
  });
  const token = /\/collect\/([\w-]{43})/.exec(mail.text ?? '')?.[1] ?? '';
  expect(token).not.toBe('');
  plant(`token ${people}`, token);
  return { token, requestId: answer.body.results[0].collection_request.id };
}

const told = async (answer: Promise<RestAnswer>): Promise<RestAnswer> => {
  const given = await answer;
  answered.push(given.text);
  return given;
};

const account = (serial: number) => ({
  ...bankAccount,
  accountHolderName: plantShown('account holder', 'Augusta Canary-King'),
  routingCode: plant('routing code', '091000019'),
  accountNumber: plant(`account ${serial}`, `55881144${1_000 + serial}`),
});

const person = (serial: number) => ({
  ...identity,
  phone: plantShown(`phone ${serial}`, `+44 20 7946 0${500 + serial}`),
  postalAddress: {
    ...identity.postalAddress,
    line1: plantShown('street', '12 Canary Square'),
  },
  dateOfBirth: plant(`birth date ${serial}`, `19${40 + serial}-03-19`),
  taxId: plant(`tax id ${serial}`, `CANARY-TAX-${serial}-NUMBER`),
});

it('lets nothing of a form lie in clear, whatever becomes of it', async () => {
  const form = formCalls(harness);
  // Saved and left; saved and submitted; refused.
  const left = await invite('full_onboarding');
  await told(form.save(left.token, { identity: person(1), bankAccount: account(1) }));
  const done = await invite('full_onboarding');
  await told(form.save(done.token, { identity: person(2), bankAccount: account(2) }));
  const submitted = await told(form.submit(done.token));
  expect(submitted.body.data.form.state).toBe('submitted');
  await told(form.submit(done.token));
  const wrong = await invite('bank_details');
  const iban = plant('wrong IBAN', 'DE00370400440532013999');
  const european = { accountHolderName: 'Ada', country: 'DE', currency: 'EUR', iban };
  await told(form.save(wrong.token, { bankAccount: european }));
  await told(form.save(wrong.token, { bankAccount: { ...european, country: iban } }));
  await told(form.submit(wrong.token, { identity: person(3) }));
  await told(form.open(plant('guessed token', randomBytes(32).toString('base64url'))));

  const taxed = await invite('tax_documents');
  const inside = plant('content of a document', 'CANARY INSIDE OF THE FILE');
  const file = Buffer.from(`%PDF-1.7\n${inside}\n%%EOF\n`);
  const taxDocument = {
    taxId: plant('tax id of a document', 'CANARY-TAX-DOCUMENT'),
    formType: 'w9',
    file: file.toString('base64'),
  };
  await told(form.submit(taxed.token, { taxDocument: { ...taxDocument, formType: null } }));
  expect((await told(form.submit(taxed.token, { taxDocument }))).body.errors).toBeUndefined();

  // A mail that fails, and a draft that does not open: faults whose message could carry something.
  const { pool } = harness.database;
  const job = { tenantId: tenant.tenantId, requestId: left.requestId };
  await pool.query(`UPDATE collection_request SET mail_status = 'pending' WHERE id = $1`, [
    job.requestId,
  ]);
  const broken = { ...harness.services.config, SMTP_URL: 'smtp://127.0.0.1:1' };
  await expect(
    handlers.send_collection_mail(job, { ...harness.services, config: broken }),
  ).rejects.toThrow('ESOCKET');
  await pool.query(
    `UPDATE collection_request
     SET draft_ciphertext = set_byte(draft_ciphertext, 40, 255 - get_byte(draft_ciphertext, 40))
     WHERE id = $1`,
    [left.requestId],
  );
  const failed = await told(form.open(left.token));
  expect(failed.body.errors[0].extensions.code).toBe('internal_error');

  expect(canaries.size).toBeGreaterThan(12);
  const atRest = await everythingAtRest(harness.database.pool);
  // The search itself works: what may be there is found.
  expect(atRest).toContain('Lovelace');
  expect(atRest).toContain(left.requestId);
  expect(atRest).toContain('every_job');
  expect(found(`\\x${Buffer.from('CANARY-TAX-1-NUMBER').toString('hex')}`)).toEqual(['tax id 1']);
  expect(logged.length).toBeGreaterThan(20);
  expect(found(atRest), 'in the database').toEqual([]);
  expect(found(atRest, shown), 'in the database').toEqual([]);
  expect(found(logged.join('\n'), shown), 'in the log').toEqual([]);
  expect(found(logged.join('\n')), 'in the log').toEqual([]);
  expect(found(answered.join('\n')), 'in answers').toEqual([]);
});
