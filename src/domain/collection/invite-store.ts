import type { PoolClient } from 'pg';
import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { mapInTurns } from '../../concurrency/event-loop.ts';
import { named } from '../../db/named.ts';
import { rows, type Queryable, type Statement } from '../../db/pool.ts';
import type { LanguageCode } from '../../reference/languages.ts';
import type { Call } from '../../process/services.ts';
import { emailKey } from '../../values/fields.ts';
import { screenSoon, toBeScreened } from '../beneficiary/screen-soon.ts';
import { endCollectionRequests } from '../beneficiary/commands.gen.ts';
import { statusWithoutLink } from '../beneficiary/end-request.ts';
import { openEmail } from '../beneficiary/store.ts';
import { recordTransitions } from '../beneficiary/transition-store.ts';
import { emailHash } from '../encryption/lookup.ts';
import { sealText } from '../encryption/personal.ts';
import { requestColumns, type CollectionScope, type StoredRequest } from './request.ts';

/** A beneficiary that an invite is to register, with what is known of it. */
export interface Newcomer {
  readonly id: string;
  readonly beneficiaryType: 'person' | 'business';
  readonly email: string;
  /** The address in the form in which it is compared. */
  readonly emailKey: string;
  readonly nickname: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly businessName: string | null;
}

/**
 * In the order of the hashes, so that two calls with the same ones wait for each other and cannot
 * deadlock. The first to insert an address keeps it.
 */
const registerStubs: Statement = {
  name: 'register_invited_beneficiaries',
  text: `
    INSERT INTO beneficiary (
      tenant_id, id, beneficiary_type, compliance_status, transition_count, email_ciphertext, email_hash,
      nickname, first_name, last_name, business_name, identity_pending, screening
    )
    SELECT $1, g.id, g."beneficiaryType", 'pending', 1, decode(g.email, 'hex'), decode(g."emailHash", 'hex'), g.nickname,
      g."firstName", g."lastName", g."businessName", true, ${toBeScreened('$1')}
    FROM jsonb_to_recordset($2::jsonb) AS g(
      id text, "beneficiaryType" text, email text, "emailHash" text, nickname text,
      "firstName" text, "lastName" text, "businessName" text
    )
    ORDER BY g."emailHash" COLLATE "C"
    ON CONFLICT (tenant_id, email_hash) WHERE archived_at IS NULL DO NOTHING
    RETURNING id, screening`,
};

/** Registers beneficiaries whose identity is to be collected; one whose address is taken is left out. */
export async function insertStubs(
  client: PoolClient,
  call: Call,
  newcomers: readonly Newcomer[],
): Promise<void> {
  if (newcomers.length === 0) return;
  const { scope } = call;
  const hash = await emailHash(call);
  const stubs = await mapInTurns(newcomers, ({ email, emailKey, ...stub }) => ({
    ...stub,
    email: sealText(call, 'beneficiary', stub, 'email', email).toString('hex'),
    emailHash: hash(emailKey).toString('hex'),
  }));
  const values = [scope.tenantId, JSON.stringify(stubs)] as const;
  const created = await rows<Pick<Beneficiary, 'id' | 'screening'>>(client, registerStubs, values);
  const ids = created.map(({ id }) => id);
  await recordTransitions(client, scope, ids, { kind: 'registered', from: 'new' });
  await screenSoon(client, scope, created);
}

const takenAddresses: Statement = {
  name: 'taken_beneficiary_addresses',
  text: `
    SELECT b.email_key AS "emailKey", b.email_hash AS "emailHash" FROM beneficiary b
    WHERE b.tenant_id = $1 AND b.archived_at IS NULL
      AND (b.email_hash = ANY ($2::bytea[]) OR b.email_key = ANY ($3::text[]))`,
};

/** How a row holds its address: by its hash, or in clear while it is not carried over. */
interface StoredAddress {
  readonly emailKey: string | null;
  readonly emailHash: Buffer | null;
}

/** Addresses by their hashes; `keyOf` gives that of a row that was found by one of them. */
async function hashed(call: Call, emailKeys: readonly string[]) {
  // Without an address there is nothing to hash, and the key need not be read.
  if (emailKeys.length === 0) return { hashes: [], keyOf: () => null };
  const hash = await emailHash(call);
  const hashes = await mapInTurns(emailKeys, hash);
  const byHash = new Map(hashes.map((one, at) => [one.toString('hex'), emailKeys[at]]));
  const keyOf = ({ emailKey, emailHash: stored }: StoredAddress): string | null =>
    (stored === null ? emailKey : byHash.get(stored.toString('hex'))) ?? null;
  return { hashes, keyOf };
}

/** Those of the addresses that belong to an active beneficiary. */
export async function findTaken(
  client: Queryable,
  call: Call,
  emailKeys: readonly string[],
): Promise<ReadonlySet<string | null>> {
  const { hashes, keyOf } = await hashed(call, emailKeys);
  const values = [call.scope.tenantId, hashes, emailKeys] as const;
  const taken = await rows<StoredAddress & Record<string, unknown>>(client, takenAddresses, values);
  return new Set(taken.map(keyOf));
}

/** A beneficiary as an invite needs to know it. */
export interface Invitee {
  readonly id: string;
  /** The address by which it was found; null when it was found by its id. */
  readonly emailKey: string | null;
  readonly beneficiaryType: 'person' | 'business';
  readonly archivedAt: Date | null;
}

const lockInvitees: Statement = {
  name: 'lock_invitees',
  text: `
    SELECT b.id, b.email_key AS "emailKey", b.email_hash AS "emailHash", b.beneficiary_type AS "beneficiaryType",
      b.archived_at AS "archivedAt"
    FROM beneficiary b
    WHERE b.tenant_id = $1
      AND (b.id = ANY ($2::text[]) OR (b.email_hash = ANY ($3::bytea[]) AND b.archived_at IS NULL)
        OR (b.email_key = ANY ($4::text[]) AND b.archived_at IS NULL))
    ORDER BY b.id FOR NO KEY UPDATE`,
};

/** The beneficiaries of some ids and addresses, locked until the transaction ends. */
export async function lockBeneficiaries(
  client: Queryable,
  call: Call,
  by: { readonly ids: readonly string[]; readonly emailKeys: readonly string[] },
): Promise<Invitee[]> {
  const { hashes, keyOf } = await hashed(call, by.emailKeys);
  const values = [call.scope.tenantId, by.ids, hashes, by.emailKeys] as const;
  const locked = await rows<Invitee & StoredAddress>(client, lockInvitees, values);
  return locked.map((one) => ({ ...one, emailKey: keyOf(one) }));
}

const inviteeAddresses: Statement = {
  name: 'addresses_of_invitees',
  text: `
    SELECT b.id, b.email, b.email_ciphertext AS "emailCiphertext" FROM beneficiary b
    WHERE b.tenant_id = $1 AND b.id = ANY ($2::text[])`,
};

type AddressRow = Pick<Beneficiary, 'id' | 'email' | 'emailCiphertext'>;

/** The addresses of beneficiaries, as addresses are compared, by their ids. */
export async function findAddresses(
  client: Queryable,
  call: Call,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const values = [call.scope.tenantId, ids] as const;
  const found = await rows<AddressRow>(client, inviteeAddresses, values);
  return new Map(found.map((row) => [row.id, emailKey(openEmail(call, row))]));
}

const recentRequests: Statement = {
  name: 'recent_collection_requests',
  text: `
    SELECT ${requestColumns} FROM collection_request r
    WHERE r.tenant_id = $1 AND r.beneficiary_id = ANY ($2::text[])
      AND r.status = 'live' AND r.expires_at > now() AND r.mail_status <> 'dead'
      AND r.created_at > now() - make_interval(mins => $3)`,
};

/** The live requests of locked beneficiaries that are younger than COLLECTION_REPEAT_MINUTES. */
export function findRecent(
  client: Queryable,
  { scope, services }: Call,
  beneficiaryIds: readonly string[],
): Promise<StoredRequest[]> {
  return rows<StoredRequest>(client, recentRequests, [
    scope.tenantId,
    beneficiaryIds,
    services.config.COLLECTION_REPEAT_MINUTES,
  ]);
}

const justMailed: Statement = {
  name: 'beneficiaries_just_mailed',
  text: `
    SELECT DISTINCT r.beneficiary_id AS id FROM collection_request r
    WHERE r.tenant_id = $1 AND r.beneficiary_id = ANY ($2::text[])
      AND r.status <> 'submitted' AND r.mail_status <> 'dead'
      AND r.created_at > now() - make_interval(secs => $3)`,
};

/**
 * Those of some locked beneficiaries to whom a link went out within COLLECTION_RESEND_SECONDS, whatever became of
 * it, unless its mail is dead or the payee has used it.
 */
export async function findJustMailed(
  client: Queryable,
  { scope, services }: Call,
  beneficiaryIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const seconds = services.config.COLLECTION_RESEND_SECONDS;
  const values = [scope.tenantId, beneficiaryIds, seconds] as const;
  const mailed = await rows<{ id: string }>(client, justMailed, values);
  return new Set(mailed.map(({ id }) => id));
}

type EndedRequest = Awaited<ReturnType<typeof endCollectionRequests>>[number];

const insertRequests = named(
  'insert_collection_requests',
  ['tenant', 'beneficiaries', 'ids', 'scopes', 'languages', 'actor', 'days'],
  `
    INSERT INTO collection_request AS r (tenant_id, id, beneficiary_id, scope, language, expires_at, created_by)
    SELECT @tenant, g.id, g.beneficiary_id, g.scope, g.language, now() + make_interval(days => @days), @actor::jsonb
    FROM unnest(@beneficiaries::text[], @ids::uuid[], @scopes::text[], @languages::text[])
      AS g(beneficiary_id, id, scope, language)
    RETURNING ${requestColumns}`,
);

const moveInvitees: Statement = {
  name: 'move_invitees',
  text: `
    UPDATE beneficiary b SET
      collection_status = CASE WHEN $3::boolean THEN 'invited' ELSE ${statusWithoutLink('b')} END,
      transition_count = b.transition_count + 1, revision = b.revision + 1, updated_at = command.clock()
    WHERE b.tenant_id = $1 AND b.id = ANY ($2::text[])`,
};

export interface NewRequest {
  readonly id: string;
  readonly beneficiaryId: string;
  readonly scope: CollectionScope;
  readonly language: LanguageCode | null;
}

/**
 * Makes a live request of each, in the place of the one that its beneficiary had. The
 * transaction has locked the beneficiaries, which are active and each there once. A beneficiary gets at
 * most one record. It says that the beneficiary is invited or, if the new link collects no identity,
 * that the earlier link which did has ended.
 */
export async function replaceRequests(
  client: PoolClient,
  { scope, services }: Call,
  requests: readonly NewRequest[],
): Promise<StoredRequest[]> {
  const { tenantId: tenant } = scope;
  const beneficiaries = requests.map(({ beneficiaryId }) => beneficiaryId);
  const as = 'superseded';
  const ended = await endCollectionRequests(client, tenant, { beneficiaries, request: null, as });
  const created = await rows<StoredRequest>(
    client,
    insertRequests,
    insertRequests.of({
      tenant,
      beneficiaries,
      ids: requests.map(({ id }) => id),
      scopes: requests.map((request) => request.scope),
      languages: requests.map(({ language }) => language),
      actor: JSON.stringify(scope.actor),
      days: services.config.COLLECTION_LINK_DAYS,
    }),
  );
  await recordInvites(client, scope, requests, ended);
  return created;
}

async function recordInvites(
  client: PoolClient,
  scope: Scope,
  requests: readonly NewRequest[],
  ended: readonly EndedRequest[],
): Promise<void> {
  const invited = requests
    .filter((request) => request.scope === 'full_onboarding')
    .map(({ beneficiaryId }) => beneficiaryId);
  const without = ended.filter(
    (request) => request.scope === 'full_onboarding' && !invited.includes(request.beneficiaryId),
  );
  const idsOf = (status: 'expired' | 'superseded') =>
    without.filter((request) => request.status === status).map((request) => request.beneficiaryId);
  await move(client, scope, invited, true);
  await recordTransitions(client, scope, invited, { kind: 'invited' });
  await move(
    client,
    scope,
    without.map(({ beneficiaryId }) => beneficiaryId),
    false,
  );
  await recordTransitions(client, scope, idsOf('expired'), { kind: 'invite_expired' });
  await recordTransitions(client, scope, idsOf('superseded'), {
    kind: 'invite_canceled',
    reason: 'superseded',
  });
}

async function move(
  client: PoolClient,
  scope: Scope,
  ids: readonly string[],
  invited: boolean,
): Promise<void> {
  if (ids.length > 0) await rows(client, moveInvitees, [scope.tenantId, ids, invited]);
}
