import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { endWaitingAbout, findWaitingAbout } from '../proposed-change/store.ts';

/*
 * A file that an operator brings may need a second operator before anything that it says counts: a forged one could free a
 * payout to be paid twice. Until then it waits, and one that was declined is dismissed without having been read.
 */

/** What a second operator agrees to. */
export interface HeldFile {
  readonly id: string;
  readonly connectionId: string;
  readonly name: string;
  readonly sizeBytes: bigint;
  readonly sha256: string;
}

/** Proposes a stored file to a second operator, in the transaction of `client`. */
export type Hold = (client: PoolClient, file: HeldFile) => Promise<void>;

const held = `(f.status = 'waiting' OR (f.status = 'dismissed' AND f.problem IS NULL))`;

const heldColumns = `f.id, f.connection_id AS "connectionId", f.name, f.size_bytes AS "sizeBytes", f.sha256`;

const release = named(
  'release_held_bank_file',
  ['tenant', 'file'],
  `
    UPDATE bank_file f SET status = 'received', explanation = NULL
    WHERE f.tenant_id = @tenant AND f.id = @file AND ${held}
    RETURNING f.id`,
);

/** Adds the job that reads a stored file, in the transaction of `client`. */
export async function enqueueReading(
  client: PoolClient,
  { tenantId }: Scope,
  fileId: string,
): Promise<void> {
  const payload = { tenantId, fileId };
  await enqueue(client, 'read_bank_file', payload, { jobKey: jobKeyOf('read_bank_file', payload) });
}

/** Has the worker read a file that waits, or that was declined; false where it counts already. */
export async function releaseFile(
  client: PoolClient,
  scope: Scope,
  file: string,
): Promise<boolean> {
  const { tenantId: tenant } = scope;
  if ((await firstRow(client, release, release.of({ tenant, file }))) === null) return false;
  await enqueueReading(client, scope, file);
  return true;
}

const decline = named(
  'decline_held_bank_file',
  ['tenant', 'file', 'explanation'],
  `
    UPDATE bank_file f SET status = 'dismissed', explanation = @explanation
    WHERE f.tenant_id = @tenant AND f.id = @file AND f.status = 'waiting'`,
);

/** Dismisses a file that waits; one that counts already stays. */
export async function declineHeldFile(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  file: string,
  explanation: string,
): Promise<void> {
  await rows(client, decline, decline.of({ tenant, file, explanation }));
}

const holdAgain = named(
  'hold_bank_file_again',
  ['tenant', 'file'],
  `
    UPDATE bank_file f SET status = 'waiting', explanation = NULL
    WHERE f.tenant_id = @tenant AND f.id = @file AND ${held}
    RETURNING ${heldColumns}`,
);

/**
 * The bytes of a file that the connection has came once more. If it waits or was declined, it is read where they need no
 * second operator, such as those that the bank itself put out; otherwise it is proposed, unless it is already. Whether
 * it waits.
 */
export async function arriveAgain(
  client: PoolClient,
  scope: Scope,
  file: string,
  hold: Hold | undefined,
): Promise<boolean> {
  if (hold === undefined) {
    // The proposal is locked before the file, as its answer does.
    await endWaitingAbout(client, scope, 'bank_file_take', file);
    await releaseFile(client, scope, file);
    return false;
  }
  const { tenantId: tenant } = scope;
  const found = await firstRow<HeldFile & Record<string, unknown>>(
    client,
    holdAgain,
    holdAgain.of({ tenant, file }),
  );
  if (found === null) return false;
  if (!(await findWaitingAbout(client, scope, 'bank_file_take', file))) await hold(client, found);
  return true;
}
