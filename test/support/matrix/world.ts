import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { makeKey } from '../../../src/access/key.ts';
import { jobScope } from '../../../src/access/system.ts';
import { insertTaxDocument } from '../../../src/domain/collection/tax-document-store.ts';
import { newId, resourceOf } from '../../../src/values/ids.ts';
import { newUlid } from '../../../src/values/ulid.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../factory.ts';
import { bookPayouts, postEntries } from '../given-entries.ts';
import { files } from '../collection.ts';
import type { Harness } from '../harness.ts';
import { storedEmails } from '../stored-emails.ts';
import { addBank, addBankParts, type BankParts } from './bank.ts';

/** A column that an input of a caller can point into. */
export interface Target {
  readonly table: string;
  readonly column: string;
  /** The part of the caller's own world to try, where not just any row does. */
  readonly own?: 'failedPayoutId';
}

/** A tenant with at least two rows of everything that a caller can name. */
export interface World extends FreshParts {
  readonly tenantId: string;
  readonly businessId: string;
  readonly key: string;
  /** The bank connection to which a route leads. */
  readonly connectionId: string;
  /** Failed, so that it can be replaced; null where no payout was handed over. */
  readonly failedPayoutId: string | null;
}

/** What is made anew for each call that changes something. */
interface FreshParts extends BankParts {
  readonly payee: TestPayee;
  /** Waits for an approval. */
  readonly payoutId: string;
  readonly deliveryId: string;
  /** A live collection request of the payee, a UUID. */
  readonly requestId: string;
  /** A tax document of the payee. */
  readonly documentId: string;
}

export const webhookBody = {
  url: 'https://127.0.0.1:9/never',
  enabled_events: ['payout.disbursed', 'payout.failed'],
};

async function ask(harness: Harness, key: string, method: string, path: string, body?: unknown) {
  const answer = await harness.rest(method, path, { key, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
}

/**
 * A payee with a live link, a tax document and what the bank says of the account; a payout that waits for
 * approval; and a delivery. All new.
 */
export async function freshParts(
  harness: Harness,
  world: Pick<World, 'key' | 'tenantId' | 'connectionId'>,
): Promise<FreshParts> {
  const { key } = world;
  const payee = await makePayee(harness, key);
  const body = payoutBody(payee, { external_ref: `ref-${randomUUID()}` });
  const { payout } = await ask(harness, key, 'POST', '/v1/payouts', body);
  const { delivery } = await ask(harness, key, 'POST', '/v1/webhook-subscriptions/test');
  const invites = [{ beneficiary_id: payee.beneficiaryId, scope: 'bank_details' }];
  const path = '/v1/beneficiaries/collection-invites';
  const { results } = await ask(harness, key, 'POST', path, { invites });
  const requestId: string = results[0].collection_request.id;
  const documentId = await addTaxDocument(harness, payee.beneficiaryId, requestId);
  const payoutId: string = payout.id;
  const bank = await addBankParts(harness, world, { ...payee, payoutId });
  return { payee, payoutId, deliveryId: delivery.id, requestId, documentId, ...bank };
}

/** A tax document as a payee's submit stores it, without a link. */
export async function addTaxDocument(
  { services, database }: Harness,
  beneficiaryId: string,
  requestId: string,
): Promise<string> {
  const { rows } = await database.pool.query<{ tenant_id: string }>(
    'SELECT tenant_id FROM beneficiary WHERE id = $1',
    [beneficiaryId],
  );
  const tenantId = rows[0]?.tenant_id ?? '';
  const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'test' });
  const document = { beneficiaryId, requestId, formType: 'w9', file: files.pdf } as const;
  return insertTaxDocument(services.pool, { services, scope }, document);
}

type Owner = Pick<TestTenant, 'tenantId' | 'businessId' | 'key'> & Partial<TestTenant>;

const review = (harness: Harness, { key, payoutId }: Pick<World, 'key' | 'payoutId'>) =>
  ask(harness, key, 'POST', `/v1/payouts/${payoutId}/decisions`, {
    decision_id: newUlid(),
    status: 'pending_review',
  });

/** Of each part one, and payments at a bank. */
export async function makeSmallWorld(harness: Harness, tenant: Owner): Promise<World> {
  const { key, tenantId, businessId } = tenant;
  await tenant.keyWithRole?.('viewer');
  await ask(harness, key, 'POST', '/v1/webhook-subscriptions', webhookBody);
  const connectionId = await addBank(harness, tenantId, key);
  const own = { key, tenantId, businessId, connectionId, failedPayoutId: null };
  const world = { ...own, ...(await freshParts(harness, own)) };
  await review(harness, world);
  await addApprovals(harness, tenantId);
  await addHits(harness, world);
  await addNameChecks(harness, world);
  return world;
}

/** Everything twice, decisions included; with `failed` also a payout that can be replaced. */
export async function makeWorld(
  harness: Harness,
  tenant: Owner,
  { failed }: { failed: boolean },
): Promise<World> {
  const { key, tenantId, businessId } = tenant;
  const first = await makeSmallWorld(harness, tenant);
  await review(harness, { ...first, ...(await freshParts(harness, first)) });
  await addFinishedExport(harness, tenantId);
  await addFinishedExport(harness, tenantId);
  await addAccessChanges(harness, businessId);
  const failedPayoutId = failed ? await addFailedPayout(harness, key) : null;
  await giveUpOn(harness, tenantId, failedPayoutId);
  await harness.database.pool.query(
    `INSERT INTO provider_contradiction (tenant_id, subject_id, provider, kind, said, expected, source)
     VALUES ($1, $2, 'simulator', 'reference', 'another', 'its own', 'enrollment')`,
    [tenantId, newId('enrollment')],
  );
  const parts = await freshParts(harness, first);
  const world = { ...first, failedPayoutId, ...parts };
  await addEntries(harness, tenantId);
  await addHits(harness, world);
  // The list of a payout's decisions has pages.
  await review(harness, world);
  await review(harness, world);
  await ask(harness, key, 'POST', `/v1/beneficiaries/${parts.payee.beneficiaryId}/personal-data`);
  return world;
}

/** Entries of what the payouts did, and two of no payout, so that their list has pages. */
async function addEntries({ database: { pool } }: Harness, tenantId: string): Promise<void> {
  await bookPayouts(pool, tenantId);
  const funding = { kind: 'funding', debit: 'funds', credit: 'external', amount: 1 } as const;
  const given = ['first report', 'second report'].map((source) => ({ ...funding, source }));
  await postEntries(pool, tenantId, given);
}

/** Two groups of approvers, two proposals of members, and two who stand in for others. */
async function addApprovals({ database: { pool } }: Harness, tenantId: string): Promise<void> {
  for (const name of ['first', 'second']) {
    const id = newId('approvalGroup');
    await pool.query(
      `INSERT INTO approval_group (tenant_id, id, name, members) VALUES ($1, $2, $3, '{}')`,
      [tenantId, id, name],
    );
    await pool.query(
      `INSERT INTO proposed_change (tenant_id, id, kind, subject_id, shown, digest, payload_ciphertext, proposed_by, expires_at)
       VALUES ($1, $2, 'approval_group', $3, '{"before": {"members": []}, "after": {"members": []}}', sha256(''), '', (
         SELECT m.user_id FROM membership m JOIN tenant t ON t.business_id = m.business_id WHERE t.id = $1 ORDER BY m.id LIMIT 1
       ), now() + interval '1 day')`,
      [tenantId, newId('proposedChange'), id],
    );
    await pool.query(
      `INSERT INTO approval_delegation (tenant_id, id, from_user, to_user, reason, begins_at, ends_at)
       VALUES ($1, $2, 'usr_a', 'usr_b', 'away', now(), now() + interval '1 day')`,
      [tenantId, newId('approvalDelegation')],
    );
  }
}

/** Two answers about the account of the payee. */
async function addNameChecks(
  { database: { pool } }: Harness,
  { tenantId, payee: { bankAccountId } }: World,
): Promise<void> {
  for (const code of ['MBAM', 'ANNM']) {
    await pool.query(
      `INSERT INTO name_check (tenant_id, id, bank_account_id, version, result, source, code)
       VALUES ($1, $2, $3, 1, 'no_match', 'simulator', $4)`,
      [tenantId, newId('nameCheck'), bankAccountId, code],
    );
  }
}

/** Two looks of the screening at a payee, each with a hit. */
async function addHits(
  { database: { pool } }: Harness,
  { tenantId, payee: { beneficiaryId } }: World,
): Promise<void> {
  for (const ref of ['first', 'second']) {
    const result = newId('screeningResult');
    await pool.query(
      `INSERT INTO screening_result (tenant_id, id, beneficiary_id, cause, engine, lists, incomplete, threshold, hits)
       VALUES ($1, $2, $3, 'payee', 'embedded', '[]', false, 0.75, 1)`,
      [tenantId, result, beneficiaryId],
    );
    await pool.query(
      `INSERT INTO screening_hit (tenant_id, id, beneficiary_id, result_id, kind, ref, entry_digest, score, ofac)
       VALUES ($1, $2, $3, $4, 'own', $5, '', 0.9, 90)`,
      [tenantId, newId('screeningHit'), beneficiaryId, result, ref],
    );
  }
}

/** Two records of what changed, as the owner of the fixture left none. */
async function addAccessChanges(
  { database: { pool } }: Harness,
  businessId: string,
): Promise<void> {
  await pool.query(
    `INSERT INTO access_change (business_id, environment, kind, subject_id, actor)
     SELECT $1, 'sandbox', 'settings_changed', $1, '{"type": "member"}' FROM generate_series(1, 2)`,
    [businessId],
  );
}

/** An export whose file is there, as its job leaves it. */
async function addFinishedExport({ database: { pool } }: Harness, tenantId: string): Promise<void> {
  const id = newId('export');
  await pool.query(
    `WITH made AS (
       INSERT INTO export (tenant_id, id, kind, filename, status, generation, row_count, byte_count,
         requested_by, started_at, completed_at, expires_at)
       VALUES ($1, $2, 'beneficiaries', 'beneficiaries.csv', 'completed', 1, 0, 3, '{}', now(), now(),
         now() + interval '1 day')
       RETURNING tenant_id, id
     )
     INSERT INTO export_chunk (tenant_id, export_id, generation, seq, content)
     SELECT tenant_id, id, 1, 0, '\\x610d0a' FROM made`,
    [tenantId, id],
  );
}

/** The deliveries of a payout's events as they are when every attempt has failed. */
async function giveUpOn(harness: Harness, tenantId: string, payoutId: string | null) {
  if (payoutId === null) return;
  // A delivery that is given up before its first attempt never gets one.
  await eventually(async () => {
    const { rows } = await harness.database.pool.query(
      `SELECT 1 FROM webhook_delivery d JOIN event e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
       WHERE d.tenant_id = $1 AND e.payout_id = $2 AND d.attempts = 0`,
      [tenantId, payoutId],
    );
    return rows.length === 0;
  });
  await harness.database.pool.query(
    `UPDATE webhook_delivery d SET status = 'dead', next_attempt_at = NULL, completed_at = now()
     FROM event e
     WHERE d.tenant_id = $1 AND e.tenant_id = $1 AND e.id = d.event_id AND e.payout_id = $2`,
    [tenantId, payoutId],
  );
}

async function addFailedPayout(harness: Harness, key: string): Promise<string> {
  const payee = await makePayee(harness, key, { accountNumber: '000123450001' });
  const body = payoutBody(payee, { validator_strategy: 'auto' });
  const { payout } = await ask(harness, key, 'POST', '/v1/payouts', body);
  await eventually(async () => {
    const read = await ask(harness, key, 'GET', `/v1/payouts/${payout.id}`);
    return read.payout.state === 'failed';
  });
  return payout.id;
}

/** The caller's own tenant, another business, and the caller's business in its other environment. */
export async function makeWorlds(harness: Harness) {
  const own = await makeTenant(harness);
  const stranger = await makeTenant(harness);
  const production = await otherEnvironment(harness, own);
  return {
    own: await makeWorld(harness, own, { failed: true }),
    stranger: await makeWorld(harness, stranger, { failed: true }),
    production: await makeWorld(harness, production, { failed: false }),
  };
}

/** The same owner's keys for the business's other tenant, copied from the one that there is. */
async function otherEnvironment({ database: { pool } }: Harness, tenant: TestTenant) {
  async function copyKey(): Promise<{ key: string; tenantId: string }> {
    const id = newId('apiKey');
    const { key, hash } = makeKey('production', id);
    const { rows } = await pool.query<{ tenant_id: string }>(
      `INSERT INTO api_key SELECT (jsonb_populate_record(k, jsonb_build_object(
         'id', $2::text, 'tenant_id', t.id, 'secret_hash', $3::text))).*
       FROM api_key k JOIN tenant t USING (business_id)
       WHERE k.tenant_id = $1 AND t.environment = 'production' LIMIT 1 RETURNING tenant_id`,
      [tenant.tenantId, id, `\\x${hash.toString('hex')}`],
    );
    const tenantId = rows[0]?.tenant_id;
    if (tenantId === undefined) throw new Error('the owner has no key');
    return { key, tenantId };
  }
  await copyKey();
  return { businessId: tenant.businessId, ...(await copyKey()) };
}

/** How a table's rows are known to be a tenant's: most by their own column, the others by their business. */
function ownership(table: string): string {
  if (table === 'business') return 'id = $2 AND $1 <> $2';
  if (table === 'membership') return 'business_id = $2 AND $1 <> $2';
  if (table === 'app_user') {
    return 'id IN (SELECT user_id FROM membership WHERE business_id = $2) AND $1 <> $2';
  }
  return 'tenant_id = $1 AND $1 <> $2';
}

/** What a tenant has in a column, newest first. Throws when it has nothing there. */
export async function valuesOf(
  harness: Pick<Harness, 'services' | 'database'>,
  world: Pick<World, 'tenantId' | 'businessId'>,
  { table, column }: Target,
): Promise<string[]> {
  // What is encrypted is known by its value all the same.
  if (table === 'beneficiary' && column === 'email') {
    return [...(await storedEmails(harness, world.tenantId)).values()].slice(0, 4);
  }
  const { rows } = await harness.database.pool.query<{ value: string }>(
    `SELECT DISTINCT ${column}::text AS value FROM ${table}
     WHERE ${ownership(table)} AND ${column} IS NOT NULL ORDER BY 1 DESC LIMIT 4`,
    [world.tenantId, world.businessId],
  );
  if (rows.length === 0) {
    throw new Error(
      `no ${table}.${column} in the test's tenants: let makeWorld (test/support/matrix/world.ts) make one`,
    );
  }
  return rows.map(({ value }) => value);
}

/** A value of the same form that nobody has. */
export function unknownLike(value: string): string {
  const resource = resourceOf(value);
  if (resource !== null) return newId(resource);
  if (value.includes('@')) return `${randomUUID()}@example.com`;
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value)) return randomUUID();
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(value)) return newUlid();
  return randomBytes(16).toString('hex');
}

/** A digest of every row of a tenant, of which nothing may change by what others do. */
export async function digest(pool: Pool, tables: Iterable<string>, tenantId: string) {
  const digests: Record<string, string> = {};
  for (const table of tables) {
    const { rows } = await pool.query<{ digest: string }>(
      `SELECT md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) AS digest
       FROM ${table} t WHERE tenant_id = $1`,
      [tenantId],
    );
    digests[table] = rows[0]?.digest ?? '';
  }
  return digests;
}
