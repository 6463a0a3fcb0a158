import type { PoolClient } from 'pg';
import { Prisma, type ProposedChange } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named, namedOfPlatform } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { newId } from '../../values/ids.ts';
import { changeLifetimeHours, type ChangeEnd, type ChangeKind } from './names.ts';
import { plainJson, sealProposal } from './payload.ts';

const changeColumns = columns(Prisma.ProposedChangeScalarFieldEnum, 'c');

const insert = named(
  'insert_proposed_change',
  ['tenant', 'id', 'kind', 'subject', 'shown', 'digest', 'payload', 'reason', 'who', 'hours'],
  `
    INSERT INTO proposed_change AS c (tenant_id, id, kind, subject_id, shown, digest, payload_ciphertext, reason,
      proposed_by, expires_at)
    VALUES (@tenant, @id, @kind, @subject, @shown, @digest, @payload, @reason, @who,
      now() + make_interval(hours => @hours))
    RETURNING ${changeColumns}`,
);

export interface NewProposal {
  readonly kind: ChangeKind;
  readonly subjectId: string;
  /** What is carried out once it is confirmed. */
  readonly given: unknown;
  /** What whoever confirms it reads; no secret. */
  readonly shown: object;
  readonly reason: string | null;
  /** The operator's key or user, or the user of the business. */
  readonly who: string;
}

/** Stores a change that waits for a second person, in the transaction of `client`. */
export async function propose(
  client: PoolClient,
  call: Call,
  { kind, subjectId, given, shown, reason, who }: NewProposal,
): Promise<ProposedChange> {
  const id = newId('proposedChange');
  // As the database gives it back.
  const plain = JSON.parse(plainJson(shown)) as object;
  const sealed = sealProposal(call, id, { kind, given, shown: plain, proposedBy: who });
  const values = insert.of({
    ...sealed,
    tenant: call.scope.tenantId,
    id,
    kind,
    subject: subjectId,
    shown: JSON.stringify(plain),
    reason,
    who,
    hours: changeLifetimeHours,
  });
  const row = await firstRow<ProposedChange>(client, insert, values);
  if (row === null) throw new Error('an insert returns its row');
  return row;
}

const lock = named(
  'lock_proposed_change',
  ['tenant', 'id'],
  `
    SELECT ${changeColumns}, c.status = 'waiting' AND c.expires_at > now() AS "isOpen" FROM proposed_change c
    WHERE c.tenant_id = @tenant AND c.id = @id FOR UPDATE`,
);

/** A proposal with whether it can still be answered. */
export interface LockedChange extends ProposedChange {
  readonly isOpen: boolean;
}

/** A proposal of the scope's tenant, locked until the transaction ends; null for an unknown id. */
export function lockChange(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  id: string,
): Promise<LockedChange | null> {
  return firstRow<LockedChange>(client, lock, lock.of({ tenant, id }));
}

const end = named(
  'end_proposed_change',
  ['tenant', 'id', 'status', 'problem', 'who'],
  `
    UPDATE proposed_change c SET status = @status, problem = @problem, answered_by = @who, answered_at = now(),
      payload_ciphertext = NULL
    WHERE c.tenant_id = @tenant AND c.id = @id AND c.status = 'waiting'
      AND (@status <> 'confirmed' OR c.expires_at > now())
    RETURNING ${changeColumns}`,
);

/** How a proposal ends, and who ended it. */
export interface Ending {
  readonly status: ChangeEnd;
  /** Null where nobody did. */
  readonly who: string | null;
  /** Why it is stale; absent otherwise. */
  readonly problem?: string;
}

/** Ends a proposal that waits, and forgets its payload. Null where it was answered, or is too old to be confirmed. */
export function endChange(
  client: Queryable,
  { tenantId: tenant }: Scope,
  id: string,
  { status, who, problem }: Ending,
): Promise<ProposedChange | null> {
  const values = end.of({ tenant, id, status, who, problem: problem ?? null });
  return firstRow<ProposedChange>(client, end, values);
}

const endAbout = named(
  'end_proposed_changes_about',
  ['tenant', 'kind', 'subject'],
  `
    UPDATE proposed_change c SET status = 'replaced', answered_at = now(), payload_ciphertext = NULL
    WHERE c.tenant_id = @tenant AND c.kind = @kind AND c.subject_id = @subject AND c.status = 'waiting'`,
);

/** Ends what waits about a subject, since it needs no answer any more. */
export async function endWaitingAbout(
  client: Queryable,
  { tenantId: tenant }: Scope,
  kind: ChangeKind,
  subject: string,
): Promise<void> {
  await rows(client, endAbout, endAbout.of({ tenant, kind, subject }));
}

const waitingAbout = named(
  'waiting_change_about',
  ['tenant', 'kind', 'subject'],
  `
    SELECT 1 AS one FROM proposed_change c
    WHERE c.tenant_id = @tenant AND c.kind = @kind AND c.subject_id = @subject AND c.status = 'waiting'
      AND c.expires_at > now() LIMIT 1`,
);

/** Whether a proposal of a kind about a subject can be answered. */
export async function findWaitingAbout(
  client: Queryable,
  { tenantId: tenant }: Scope,
  kind: ChangeKind,
  subject: string,
): Promise<boolean> {
  const values = waitingAbout.of({ tenant, kind, subject });
  return (await firstRow(client, waitingAbout, values)) !== null;
}

const samePerson = namedOfPlatform(
  'is_same_person',
  ['one', 'other'],
  'SELECT ops.person_of(@one) = ops.person_of(@other) AS same',
);

/** Whether two credentials of operators, or two users, are one person's. */
export async function isSamePerson(
  client: Queryable,
  one: string,
  other: string,
): Promise<boolean> {
  const row = await firstRow<{ same: boolean }>(client, samePerson, samePerson.of({ one, other }));
  return row?.same !== false;
}

const waiting = named(
  'waiting_changes_of_kind',
  ['tenant', 'kind', 'most'],
  `
    SELECT ${changeColumns} FROM proposed_change c
    WHERE c.tenant_id = @tenant AND c.kind = @kind AND c.status = 'waiting' AND c.expires_at > now()
    ORDER BY c.id DESC LIMIT @most`,
);

/** The latest proposal of a kind that waits, or null. */
export async function findWaitingChange(
  client: Queryable,
  { tenantId: tenant }: Scope,
  kind: ChangeKind,
): Promise<ProposedChange | null> {
  const values = waiting.of({ tenant, kind, most: 1 });
  const [found] = await rows<ProposedChange>(client, waiting, values);
  return found ?? null;
}

/** The proposals of a kind that wait, the latest first; a hundred at most. */
export function waitingChangesOf(
  client: Queryable,
  { tenantId: tenant }: Scope,
  kind: ChangeKind,
): Promise<ProposedChange[]> {
  return rows<ProposedChange>(client, waiting, waiting.of({ tenant, kind, most: 100 }));
}
