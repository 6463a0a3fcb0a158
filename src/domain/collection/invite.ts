import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { grantCollectionMails, noMoreMails } from '../../access/rate-limit/collection.ts';
import { grantTenantMails, mailboxKeys } from '../../access/rate-limit/mailbox.ts';
import { requirePermission } from '../../access/scope.ts';
import { emailHash } from '../encryption/lookup.ts';
import { deadlocked } from '../../db/errors.ts';
import { retryOnError } from '../../db/retry.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError, invalid, notFound } from '../../errors/domain-error.ts';
import { enqueueMany } from '../../queue/queue.ts';
import { mailPriority } from '../../queue/tasks.ts';
import { inBulk, type Call } from '../../process/services.ts';
import { readInviteCsv } from './csv.ts';
import type { InviteInput } from './invite-input.ts';
import { planInvites, repeated, type GivenInvite, type PlannedInvite } from './invite-plan.ts';
import {
  findAddresses,
  findJustMailed,
  findRecent,
  findTaken,
  insertStubs,
  lockBeneficiaries,
  replaceRequests,
  type Invitee,
  type Newcomer,
  type NewRequest,
} from './invite-store.ts';
import type { StoredRequest } from './request.ts';

export interface InviteResult {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly status: 'invited' | 'failed';
  readonly beneficiaryId: string | null;
  readonly request: StoredRequest | null;
  readonly error: DomainError | null;
}

const limits = { invites: 'COLLECTION_INVITES', rows: 'COLLECTION_BULK_ROWS' } as const;

/** Mails of a call that go before those of its further rows, by the priority of their jobs. */
const mailsAtOnce = 50;

/** Invites that are made in one transaction: locks are held for as long as it takes. */
const batchSize = 200;

/**
 * Invites up to COLLECTION_INVITES beneficiaries to give their details through a hosted form. One that
 * is named by its id gets a new link, which ends the one before. An e-mail address names the active
 * beneficiary that has it, if the type is the same; where nobody has it, a beneficiary with an
 * incomplete identity is registered. Jobs mail the links. A suspended beneficiary may be invited: its
 * details may be what lifts the suspension. Throws validation_failed for the number of invites, forbidden, RATE_LIMITED and
 * too_many_requests for what they count; everything else is the result
 * of a row: validation_failed (with `duplicate` for a second row of one beneficiary), not_found,
 * BENEFICIARY_ARCHIVED, BENEFICIARY_IDENTITY_INVALID, BENEFICIARY_IDENTITY_INCOMPLETE for a newcomer
 * without a legal name, BENEFICIARY_EMAIL_ALREADY_EXISTS for an address of the other type,
 * too_many_requests for a second link within COLLECTION_RESEND_SECONDS and for mails
 * beyond the tenant's day or the bound of the mailbox.
 *
 * A call whose answer was lost can be sent again: nobody is registered twice, and a row that names an
 * address is answered with the live link of the same scope that is younger than COLLECTION_REPEAT_MINUTES,
 * without another mail, whatever language it names. A row that names an id is a resend always.
 */
export function inviteBeneficiaries(
  call: Call,
  invites: readonly (InviteInput | null | undefined)[],
): Promise<InviteResult[]> {
  return inviteAll(call, 'invites', invites);
}

/** The rows of a bulk invite, or the bytes of a CSV file with them. */
export interface BulkInvites {
  readonly rows?: readonly (InviteInput | null | undefined)[] | null | undefined;
  readonly csv?: Uint8Array | null | undefined;
}

/**
 * As `inviteBeneficiaries`, for up to COLLECTION_BULK_ROWS rows, given as a list or as a CSV file (`csv.ts`, whose
 * errors it throws too). The index of a row does not count the header.
 */
export async function inviteInBulk(
  call: Call,
  { rows, csv }: BulkInvites,
): Promise<InviteResult[]> {
  requirePermission(call.scope, 'payees:write');
  const given = (value: unknown) => value !== null && value !== undefined;
  if (given(rows) === given(csv)) {
    const [code, message] = given(csv)
      ? ['mutually_exclusive', 'Must not be set together with rows.']
      : ['required', 'Either rows or csv is required.'];
    throw invalid([{ field: 'csv', code, message }]);
  }
  if (csv)
    return inviteAll(call, 'rows', readInviteCsv(csv, call.services.config.COLLECTION_BULK_ROWS));
  return inviteAll(call, 'rows', rows ?? []);
}

async function inviteAll(
  call: Call,
  list: keyof typeof limits,
  given: readonly GivenInvite[],
): Promise<InviteResult[]> {
  requirePermission(call.scope, 'payees:write');
  const maximum = call.services.config[limits[list]];
  if (given.length < 1 || given.length > maximum) {
    const code = given.length < 1 ? 'too_short' : 'too_long';
    throw invalid([{ field: list, code, message: `must have 1 to ${maximum} rows` }]);
  }
  return inBulk(call, given.length, () => inviteEach(call, list, given));
}

async function inviteEach(
  call: Call,
  list: keyof typeof limits,
  given: readonly GivenInvite[],
): Promise<InviteResult[]> {
  const { planned, failed } = await planInvites(list, given);
  const results: InviteResult[] = failed.map(({ index, error }) => failure(index, error));
  // Hashes of addresses need their key, which is read outside of transactions.
  await emailHash(call);
  const invited = new Set<string>();
  for (let start = 0; start < planned.length; start += batchSize) {
    const batch = planned.slice(start, start + batchSize);
    for (const result of await inviteBatch(call, list, batch, invited)) {
      results.push(result);
      if (result.beneficiaryId !== null) invited.add(result.beneficiaryId);
    }
  }
  return results.toSorted((a, b) => a.index - b.index);
}

function failure(index: number, error: DomainError): InviteResult {
  return { index, status: 'failed', beneficiaryId: null, request: null, error };
}

/** An invite whose beneficiary is locked, and the request that it gets. */
interface Settled {
  readonly invite: PlannedInvite;
  readonly beneficiaryId: string;
}

/** Rolls a batch back, so that nobody is registered for an invite that is not made. */
class BeyondQuota extends Error {
  override readonly name = 'BeyondQuota';
  readonly refused: ReadonlySet<PlannedInvite>;
  readonly bound: MailLimit;

  constructor(refused: Iterable<Settled>, bound: MailLimit) {
    super('more invites than mails');
    this.refused = new Set(Array.from(refused, ({ invite }) => invite));
    this.bound = bound;
  }
}

type MailLimit = 'mailbox' | 'tenant';

const minuteIsFull = 'A link was made for this beneficiary a moment ago.';
const tooMany = (message: string) => new DomainError('too_many_requests', { message });

/**
 * One transaction. The beneficiaries are locked before their requests are looked at, here and wherever
 * a request begins or ends, so of two calls at once the second supersedes what the first has made.
 * @param earlier whom earlier batches have invited
 */
async function inviteBatch(
  call: Call,
  list: string,
  batch: readonly PlannedInvite[],
  earlier: ReadonlySet<string>,
): Promise<InviteResult[]> {
  try {
    // A deadlock: somebody gives a beneficiary of this batch an address of this batch at the same time.
    return await retryOnError(deadlocked, () =>
      inTransaction(call.services.pool, (client) =>
        inviteLocked(client, call, list, batch, earlier),
      ),
    );
  } catch (error) {
    if (error instanceof BeyondQuota) {
      const { refused, bound } = error;
      call.services.metrics?.mailsRefused('collection', bound, refused.size);
      const rest = batch.filter((invite) => !refused.has(invite));
      const failed = Array.from(refused, ({ index }) => failure(index, tooMany(noMoreMails)));
      return [...(await inviteBatch(call, list, rest, earlier)), ...failed];
    }
    throw error;
  }
}

async function inviteLocked(
  client: PoolClient,
  call: Call,
  list: string,
  batch: readonly PlannedInvite[],
  earlier: ReadonlySet<string>,
): Promise<InviteResult[]> {
  const refused = await registerNewcomers(client, call, batch);
  const locked = await lockAll(client, call, batch);
  const results: InviteResult[] = [];
  const settled: Settled[] = [];
  const invited = new Set(earlier);
  for (const invite of batch) {
    const beneficiary = refused.get(invite) ?? judge(list, invite, locked, invited);
    if (beneficiary instanceof DomainError) {
      results.push(failure(invite.index, beneficiary));
      continue;
    }
    invited.add(beneficiary.id);
    settled.push({ invite, beneficiaryId: beneficiary.id });
  }
  const requests = await makeRequests(client, call, settled);
  for (const { invite, beneficiaryId } of settled) {
    const request = requests.get(beneficiaryId);
    const { index } = invite;
    if (request === undefined) results.push(failure(index, tooMany(minuteIsFull)));
    else results.push({ index, status: 'invited', beneficiaryId, request, error: null });
  }
  return results;
}

/** Registers those whom nobody knows yet; gives the rows for which that cannot be done. */
async function registerNewcomers(
  client: PoolClient,
  call: Call,
  batch: readonly PlannedInvite[],
): Promise<ReadonlyMap<PlannedInvite, DomainError>> {
  const keys = batch.flatMap(({ names }) => ('id' in names ? [] : [names.emailKey]));
  const taken = keys.length === 0 ? new Set<string | null>() : await findTaken(client, call, keys);
  const refused = new Map<PlannedInvite, DomainError>();
  const newcomers: Newcomer[] = [];
  for (const invite of batch) {
    if ('id' in invite.names || taken.has(invite.names.emailKey)) continue;
    const { newcomer } = invite.names;
    if (newcomer instanceof DomainError) refused.set(invite, newcomer);
    else newcomers.push(newcomer);
  }
  await insertStubs(client, call, newcomers);
  return refused;
}

async function lockAll(
  client: PoolClient,
  call: Call,
  batch: readonly PlannedInvite[],
): Promise<ReadonlyMap<string, Invitee>> {
  const ids = batch.flatMap(({ names }) => ('id' in names ? [names.id] : []));
  const emailKeys = batch.flatMap(({ names }) => ('id' in names ? [] : [names.emailKey]));
  const locked = await lockBeneficiaries(client, call, { ids, emailKeys });
  const byName = new Map(locked.map((one) => [one.id, one]));
  // An address leads to the active one that has it; archived ones were asked for by their id.
  for (const one of locked) {
    if (one.archivedAt === null && one.emailKey !== null) byName.set(one.emailKey, one);
  }
  return byName;
}

/** Whom an invite names, or why it cannot be made. */
function judge(
  list: string,
  invite: PlannedInvite,
  locked: ReadonlyMap<string, Invitee>,
  invited: ReadonlySet<string>,
): Invitee | DomainError {
  const { names } = invite;
  const found = locked.get('id' in names ? names.id : names.emailKey);
  if (found === undefined) {
    if ('id' in names) return notFound('beneficiary');
    // It was archived, or given another address, in the moment between.
    return new DomainError('conflict', {
      message: 'Another request changed the beneficiary at the same time; send the request again.',
    });
  }
  if (found.archivedAt !== null) return new DomainError('BENEFICIARY_ARCHIVED');
  if (!('id' in names) && found.beneficiaryType !== names.beneficiaryType) {
    return new DomainError('BENEFICIARY_EMAIL_ALREADY_EXISTS', {
      message: `The address belongs to a beneficiary of the type ${found.beneficiaryType}.`,
    });
  }
  return invited.has(found.id) ? repeated(list, invite) : found;
}

/**
 * The live request of each beneficiary: a new one, or, for a repetition, the one that is out already.
 * Who got a link within COLLECTION_RESEND_SECONDS is left out. Throws BeyondQuota.
 */
async function makeRequests(
  client: PoolClient,
  call: Call,
  settled: readonly Settled[],
): Promise<ReadonlyMap<string, StoredRequest>> {
  const requests = await findRepeated(client, call, settled);
  const open = settled.filter(({ beneficiaryId }) => !requests.has(beneficiaryId));
  if (open.length === 0) return requests;
  const ids = open.map(({ beneficiaryId }) => beneficiaryId);
  const mailed = await findJustMailed(client, call, ids);
  const due = open.filter(({ beneficiaryId }) => !mailed.has(beneficiaryId));
  for (const request of await mailNew(client, call, due)) {
    requests.set(request.beneficiaryId, request);
  }
  return requests;
}

/** The links that are out already, of the rows that name an address. */
async function findRepeated(
  client: PoolClient,
  call: Call,
  settled: readonly Settled[],
): Promise<Map<string, StoredRequest>> {
  const byAddress = settled.filter(({ invite }) => !('id' in invite.names));
  const known = byAddress.map(({ beneficiaryId }) => beneficiaryId);
  const recent = known.length === 0 ? [] : await findRecent(client, call, known);
  const requests = new Map<string, StoredRequest>();
  for (const { invite, beneficiaryId } of byAddress) {
    const out = recent.find((one) => one.beneficiaryId === beneficiaryId);
    if (out?.scope === invite.scope) requests.set(beneficiaryId, out);
  }
  return requests;
}

/** Makes the links of these invites and the jobs that mail them. Throws BeyondQuota. */
async function mailNew(
  client: PoolClient,
  call: Call,
  due: readonly Settled[],
): Promise<StoredRequest[]> {
  if (due.length === 0) return [];
  const { services, scope } = call;
  const mayBeMailed = await grantTenantMails(
    client,
    services.config,
    scope,
    await mailboxesOf(client, call, due),
  );
  if (mayBeMailed.size < due.length) {
    throw new BeyondQuota(
      due.filter((_one, index) => !mayBeMailed.has(index)),
      'mailbox',
    );
  }
  const granted = await grantCollectionMails(client, services.config, scope, due.length);
  if (granted < due.length) throw new BeyondQuota(due.slice(granted), 'tenant');
  const created = await replaceRequests(client, call, due.map(toRequest));
  const indexes = new Map(due.map(({ beneficiaryId, invite }) => [beneficiaryId, invite.index]));
  const { tenantId } = scope;
  await enqueueMany(
    client,
    'send_collection_mail',
    created.map(({ id: requestId }) => ({ tenantId, requestId })),
    created.map(({ beneficiaryId }) => ({
      priority: mailPriority + Math.floor((indexes.get(beneficiaryId) ?? 0) / mailsAtOnce),
    })),
  );
  return created;
}

/** The keys of the mailboxes of these invites, in their order. */
async function mailboxesOf(
  client: PoolClient,
  call: Call,
  due: readonly Settled[],
): Promise<string[]> {
  const byId = due.filter(({ invite }) => 'id' in invite.names);
  const ids = byId.map(({ beneficiaryId }) => beneficiaryId);
  const known = ids.length === 0 ? null : await findAddresses(client, call, ids);
  const keyOf = await mailboxKeys(call.services);
  return due.map(({ invite: { names }, beneficiaryId }) =>
    keyOf('id' in names ? (known?.get(beneficiaryId) ?? '') : names.emailKey),
  );
}

function toRequest({ invite, beneficiaryId }: Settled): NewRequest {
  const { scope, language } = invite;
  return { id: randomUUID(), beneficiaryId, scope, language };
}
