import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import {
  reinstateBeneficiary,
  suspendBeneficiary,
} from '../../../src/domain/beneficiary/suspend.ts';
import { writeExport } from '../../../src/domain/export/write.ts';
import { inviteOne, files, formCalls } from '../../support/collection.ts';
import { payoutBody } from '../../support/factory.ts';
import { newApproved } from '../../support/fake-provider.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { placesOf } from '../../support/planted.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { deleteExpired } from '../../../src/domain/retention/delete-expired.ts';

const world = usePayoutWorld({ fresh: true });
const lines: string[] = [];
beforeAll(() => {
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  Object.assign(world.harness.services, { log });
});

/** What the declaration lets go, and the name that it keeps. */
const secret = 'Qzsecret';
const name = 'Qzname';
const identity = {
  beneficiary_type: 'person',
  email: `${secret}@example.com`,
  phone: '+1 202 555 0199',
  nickname: `${secret} nick`,
  first_name: `${name} Erika`,
  last_name: 'Mustermann',
  country_of_residence: 'US',
  date_of_birth: '1971-07-17',
  tax_id: `${secret}tax`,
  postal_address: {
    line1: `${secret} street`,
    city: 'Springfield',
    state: 'IL',
    postal_code: '62701',
    country: 'US',
  },
  acknowledged: true,
};
const account = {
  account_holder_name: `${secret} holder`,
  country: 'US',
  currency: 'USD',
  routing_code: '021000021',
  account_number: '000998877665',
  bank_name: `${secret} bank`,
};

const post = (path: string, body?: unknown) =>
  world.harness.rest('POST', path, { key: world.tenant.key, body });

async function registered(): Promise<{ beneficiaryId: string; bankAccountId: string }> {
  const payee = await post('/v1/beneficiaries', { ...identity, bank_details: account });
  expect(payee.status, payee.text).toBe(201);
  const beneficiaryId: string = payee.body.beneficiary.id;
  const more = await post(`/v1/beneficiaries/${beneficiaryId}/bank-accounts`, account);
  return { beneficiaryId, bankAccountId: more.body.bank_account.id };
}

/** What a payee leaves before anything is paid: a suspension, a used form with a document, and a draft. */
async function lived(beneficiaryId: string): Promise<void> {
  const { call, harness, tenant } = world;
  for (const change of [suspendBeneficiary, reinstateBeneficiary]) {
    await inTransaction(call.services.pool, (client) =>
      change(client, call.scope, beneficiaryId, `${secret} reason`),
    );
  }
  const forms = formCalls(harness);
  const tax = await inviteOne(harness, tenant, {
    beneficiary_id: beneficiaryId,
    scope: 'tax_documents',
  });
  const given = await forms.submit(tax.token, {
    taxDocument: {
      taxId: `${secret}tax2`,
      formType: 'w9',
      file: files.pdf.toString('base64'),
    },
  });
  expect(given.body.errors, given.text).toBeUndefined();
  await world.sql('UPDATE collection_request SET created_at = $1', [
    new Date(Date.now() - 600_000),
  ]);
  const bank = await inviteOne(harness, tenant, {
    beneficiary_id: beneficiaryId,
    scope: 'bank_details',
  });
  const saved = await forms.save(bank.token, {
    bankAccount: {
      accountHolderName: `${secret} draft`,
      country: 'US',
      currency: 'USD',
      routingCode: '021000021',
      accountNumber: '000123456789',
    },
  });
  expect(saved.body.errors, saved.text).toBeUndefined();
  await world.sql(`UPDATE collection_request SET mail_error = $2 WHERE beneficiary_id = $1`, [
    beneficiaryId,
    `${secret} mailbox full`,
  ]);
  await world.sql(
    `INSERT INTO job_run (job_id, task, tenant_id, subject_id, attempt, max_attempts, outcome, error, run_at, started_at, ended_at)
     SELECT 1, 'send_collection_mail', r.tenant_id, r.id, 1, 2, 'failed', $2, now(), now(), now()
     FROM collection_request r WHERE r.beneficiary_id = $1`,
    [beneficiaryId, `${secret} in an error`],
  );
}

async function paid(
  payee: { beneficiaryId: string; bankAccountId: string },
  end: 'settled' | 'failed' | 'returned',
): Promise<string> {
  const { harness, tenant, call } = world;
  const metadata = { note: `${secret} invoice` };
  const id = await newApproved(
    harness,
    tenant.key,
    payoutBody(payee, { validator_strategy: 'auto', metadata }),
  );
  await disbursePayout(call, id);
  const failure = { code: 'other', message: `${secret} said the provider` } as const;
  if (end !== 'failed') expect(await world.tell(id, { type: 'settled' })).toBe('applied');
  if (end !== 'settled') expect(await world.tell(id, { type: end, failure })).toBe('applied');
  expect(await world.stateOf(id)).toBe(end);
  return id;
}

const erase = (id: string) => post(`/v1/beneficiaries/${id}/erase`, { ground: 'payee_request' });

it('leaves of a payee who was paid what bookkeeping needs, and nothing else anywhere', async () => {
  const { pool } = world.harness.database;
  const payee = await registered();
  await lived(payee.beneficiaryId);
  await post(`/v1/beneficiaries/${payee.beneficiaryId}/compliance-acknowledgment`);
  const settled = await paid(payee, 'settled');
  await paid(payee, 'failed');
  await paid(payee, 'returned');
  const declined = await post('/v1/payouts', payoutBody(payee));
  const rejected = await post(`/v1/payouts/${declined.body.payout.id}/reject`, {
    reasons: [{ message: `${secret} looks wrong` }],
  });
  expect(rejected.status).toBe(200);
  await world.sql(
    `INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, next_attempt_at)
     SELECT tenant_id, 'wdl_' || id, id, type, 'whs_x', now() FROM event WHERE payout_id = $1`,
    [settled],
  );
  await world.sql(
    `INSERT INTO webhook_delivery_attempt (tenant_id, delivery_id, number, started_at, latency_ms, answer)
     SELECT tenant_id, id, 1, now(), 1, $1 FROM webhook_delivery`,
    [`hello ${secret}`],
  );
  await world.sql('UPDATE webhook_delivery_attempt SET error = $1', [`${secret} hung up`]);
  // What providers and banks say in their own words.
  const own = 'WHERE beneficiary_id = $2';
  const ofPayout = 'WHERE payout_id IN (SELECT p.id FROM payout p WHERE p.beneficiary_id = $2)';
  for (const said of [
    `UPDATE bank_account SET rail_rejection_reason = $1 ${own}`,
    `UPDATE enrollment SET failure_message = $1 ${own}`,
    `UPDATE disbursement_attempt SET failure_message = $1 ${ofPayout}`,
  ])
    await world.sql(said, [`${secret} refused`, payee.beneficiaryId]);
  // What is encrypted is found nowhere, erased or not.
  const before = await placesOf(pool, secret);
  expect(before).toEqual([
    'bank_account.bank_name',
    'bank_account.rail_rejection_reason',
    'bank_account_version.bank_name',
    'beneficiary.nickname',
    'beneficiary.nickname_key',
    'beneficiary_transition.reason',
    'collection_request.mail_error',
    'disbursement_attempt.failure_message',
    'enrollment.failure_message',
    'job_run.error',
    'payout.failure_message',
    'payout.metadata',
    'payout_decision.reasons',
    'payout_transition.reason',
    'provider_event.event',
    'webhook_delivery_attempt.answer',
    'webhook_delivery_attempt.error',
  ]);

  const erased = await erase(payee.beneficiaryId);
  expect([erased.status, erased.body?.erasure?.kind], erased.text).toEqual([200, 'erased']);
  expect(await placesOf(pool, secret)).toEqual([]);
  expect(await placesOf(pool, name)).toEqual([
    'beneficiary.first_name',
    'beneficiary.name_key',
    'payout.beneficiary_name',
    'payout.beneficiary_name_key',
  ]);
  expect(await placesOf(pool, '998877665')).toEqual([]);
  expect(
    await world.sql(
      `SELECT count(v.identifiers_ciphertext)::integer AS identifiers,
         count(v.account_holder_name_ciphertext)::integer AS holders, count(b.email_ciphertext)::integer AS emails,
         count(b.postal_address_ciphertext)::integer AS addresses, count(b.tax_id_ciphertext)::integer AS tax,
         count(b.date_of_birth_ciphertext)::integer AS birth, min(a.last4) AS last4
       FROM beneficiary b JOIN bank_account a ON a.tenant_id = b.tenant_id AND a.beneficiary_id = b.id
       JOIN bank_account_version v ON v.tenant_id = a.tenant_id AND v.bank_account_id = a.id WHERE b.id = $1`,
      [payee.beneficiaryId],
    ),
  ).toEqual([
    {
      identifiers: 0,
      holders: 0,
      emails: 0,
      addresses: 0,
      tax: 0,
      birth: 0,
      last4: '7665',
    },
  ]);
  expect(
    await world.sql(
      `SELECT 1 FROM tax_document UNION ALL SELECT 1 FROM collection_link
       UNION ALL SELECT 1 FROM collection_request WHERE draft_ciphertext IS NOT NULL`,
    ),
  ).toEqual([]);
  expect(lines.join('')).not.toContain(secret);
  expect(lines.join('')).not.toContain(name);

  // Words that come without a movement of a payout.
  const again = { code: 'other', message: `${secret} moved abroad` } as const;
  await world.tell(settled, { type: 'failed', failure: again });
  expect(await placesOf(pool, secret)).toEqual(['provider_event.event']);
  await deleteExpired(world.harness.services);
  expect(await placesOf(pool, secret)).toEqual([]);
  await world.sql('UPDATE webhook_delivery_attempt SET answer = $1', [`hello again ${secret}`]);
  await deleteExpired(world.harness.services);
  expect(await placesOf(pool, secret)).toEqual([]);

  // Months later the money comes back, and the provider says why in its own words.
  const failure = { code: 'other', message: `${secret} moved away` } as const;
  expect(await world.tell(settled, { type: 'returned', failure })).toBe('applied');
  expect(await placesOf(pool, secret)).not.toEqual([]);
  await deleteExpired(world.harness.services);
  expect(await placesOf(pool, secret)).toEqual([]);
  expect(await world.stateOf(settled)).toBe('returned');

  // A transaction that began before the erasure ends after it.
  const [gone] = await world.sql<{ at: Date }>(
    'SELECT erased_at AS at FROM beneficiary WHERE id = $1',
    [payee.beneficiaryId],
  );
  await world.sql('UPDATE payout SET failure_message = $2, updated_at = $3 WHERE id = $1', [
    settled,
    `${secret} in between`,
    new Date(Number(gone?.at) - 1000),
  ]);
  await deleteExpired(world.harness.services);
  expect(await placesOf(pool, secret)).toEqual([]);
});

it('leaves nothing of a payee for whom no payout was created', async () => {
  const { pool } = world.harness.database;
  const payee = await registered();
  await lived(payee.beneficiaryId);
  const enrolled = await world.sql('SELECT id FROM enrollment WHERE beneficiary_id = $1', [
    payee.beneficiaryId,
  ]);
  expect(enrolled).toEqual([]);
  const asked = await world.harness.rest('GET', '/v1/beneficiaries/export', {
    key: world.tenant.key,
    headers: { prefer: 'respond-async' },
  });
  expect(asked.status).toBe(202);
  const [file] = await world.sql<{ id: string }>('SELECT id FROM export');
  await writeExport(world.call, file?.id ?? '');
  expect(await placesOf(pool, name)).toContain('export_chunk.content');

  const deleted = await erase(payee.beneficiaryId);
  expect([deleted.status, deleted.body?.erasure?.kind], deleted.text).toEqual([200, 'deleted']);
  expect(await placesOf(pool, secret)).toEqual([]);
  // A job that waits for a worker names the payee by the id alone, and may be known by it.
  expect(await placesOf(pool, payee.beneficiaryId)).toEqual([
    '_private_jobs.key',
    '_private_jobs.payload',
    'personal_data_record.beneficiary_id',
  ]);
  expect(lines.join('')).not.toContain(secret);
  const again = await registered();
  expect(again.beneficiaryId).not.toBe(payee.beneficiaryId);
});

it('an address book that is being written when a payee is deleted is written again without them', async () => {
  const payee = await post('/v1/beneficiaries', { ...identity, email: `${secret}3@example.com` });
  const asked = await world.harness.rest('GET', '/v1/beneficiaries/export', {
    key: world.tenant.key,
    headers: { prefer: 'respond-async' },
  });
  const { id } = asked.body.export as { id: string };
  await world.sql(`UPDATE export SET status = 'running' WHERE id = $1`, [id]);
  await world.sql('DELETE FROM job_outbox');
  const erased = await erase(payee.body.beneficiary.id);
  expect(erased.body.erasure.kind, erased.text).toBe('deleted');
  expect(await world.sql('SELECT status FROM export WHERE id = $1', [id])).toEqual([
    { status: 'pending' },
  ]);
  expect(
    await world.sql(
      `SELECT payload ->> 'exportId' AS id FROM job_outbox WHERE task = 'write_export'`,
    ),
  ).toEqual([{ id }]);
});
