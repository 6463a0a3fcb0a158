import type { Pool } from 'pg';
import { Prisma, type BankFile } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named, namedOfPlatform } from '../../db/named.ts';
import { firstRow, inTransaction, rows, type Queryable, type Statement } from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import { isId } from '../../values/ids.ts';

const fileColumns = columns(Prisma.BankFileScalarFieldEnum, 'f');

/** The file, apart from the key that opens it. */
export type StoredBankFile = BankFile;

const insertArrival = named(
  'insert_bank_file_arrival',
  ['tenant', 'file', 'connection', 'name', 'key', 'takenBy'],
  `
    INSERT INTO bank_file (tenant_id, id, connection_id, name, content_key_ciphertext, taken_by)
    VALUES (@tenant, @file, @connection, @name, @key, @takenBy)`,
);

/** Begins a file that arrives. It counts for nothing until `closeArrival`. */
export async function openArrival(
  client: Queryable,
  { tenantId: tenant }: Scope,
  arrival: {
    readonly file: string;
    readonly connection: string;
    readonly name: string;
    readonly key: Buffer;
    readonly takenBy: string | null;
  },
): Promise<void> {
  await rows(client, insertArrival, insertArrival.of({ tenant, ...arrival }));
}

const insertPiece = named(
  'insert_bank_file_chunk',
  ['tenant', 'file', 'seq', 'content'],
  `
    INSERT INTO bank_file_chunk (tenant_id, file_id, seq, content)
    VALUES (@tenant, @file, @seq, @content)`,
);

/** Stores the next encrypted piece of a file that arrives. */
export async function appendPiece(
  client: Queryable,
  { tenantId: tenant }: Scope,
  piece: { readonly file: string; readonly seq: number; readonly content: Buffer },
): Promise<void> {
  await rows(client, insertPiece, insertPiece.of({ tenant, ...piece }));
}

const knownFile = named(
  'known_bank_file',
  ['tenant', 'connection', 'sha256'],
  `
    SELECT f.id, f.status FROM bank_file f
    WHERE f.tenant_id = @tenant AND f.connection_id = @connection AND f.sha256 = @sha256`,
);

/** The file of the connection with these bytes, or null. */
export async function findKnownFile(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
  sha256: string,
): Promise<{ readonly id: string; readonly status: string } | null> {
  return firstRow(client, knownFile, knownFile.of({ tenant, connection, sha256 }));
}

const receive = named(
  'receive_bank_file',
  ['tenant', 'file', 'status', 'sha256', 'bytes', 'chunks'],
  `
    UPDATE bank_file f SET status = @status, sha256 = @sha256, size_bytes = @bytes, chunks = @chunks
    WHERE f.tenant_id = @tenant AND f.id = @file AND f.status = 'arriving'
    RETURNING f.id`,
);

/**
 * Makes an arrived file count, or wait for a second operator. False where a sweeper took it for one that was given up. Throws the violation of
 * `bank_file_sha256_key` where the connection has the file already.
 */
export async function closeArrival(
  client: Queryable,
  { tenantId: tenant }: Scope,
  arrived: {
    readonly file: string;
    readonly status: 'received' | 'waiting';
    readonly sha256: string;
    readonly bytes: number;
    readonly chunks: number;
  },
): Promise<boolean> {
  return (await firstRow(client, receive, receive.of({ tenant, ...arrived }))) !== null;
}

const lockArrival = named(
  'lock_bank_file_arrival',
  ['tenant', 'file'],
  `
    SELECT f.id FROM bank_file f
    WHERE f.tenant_id = @tenant AND f.id = @file AND f.status = 'arriving' FOR UPDATE`,
);

const deletePieces = named(
  'delete_bank_file_chunks',
  ['tenant', 'file'],
  `
    DELETE FROM bank_file_chunk c WHERE c.tenant_id = @tenant AND c.file_id = @file`,
);

const deleteArrival = named(
  'delete_bank_file_arrival',
  ['tenant', 'file'],
  `
    DELETE FROM bank_file f WHERE f.tenant_id = @tenant AND f.id = @file AND f.status = 'arriving'`,
);

/**
 * Deletes a file that did not arrive whole, or that the connection has already. Any other stays, and one that
 * arrives at this moment stays with all of its pieces.
 */
export async function discardArrival(
  pool: Pool,
  { tenantId: tenant }: Scope,
  file: string,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    if ((await firstRow(client, lockArrival, lockArrival.of({ tenant, file }))) === null) return;
    await rows(client, deletePieces, deletePieces.of({ tenant, file }));
    await rows(client, deleteArrival, deleteArrival.of({ tenant, file }));
  });
}

const fileById = named(
  'bank_file_by_id',
  ['tenant', 'file'],
  `
    SELECT ${fileColumns} FROM bank_file f WHERE f.tenant_id = @tenant AND f.id = @file`,
);

/** A file of the scope's tenant, or null. */
export function findBankFile(
  client: Queryable,
  { tenantId: tenant }: Scope,
  file: string,
): Promise<StoredBankFile | null> {
  return firstRow<StoredBankFile>(client, fileById, fileById.of({ tenant, file }));
}

const reopen: Statement = {
  name: 'reopen_bank_file',
  text: 'SELECT ops.reopen_bank_file($1, $2) AS reopened',
};

/** Lets a file that cannot be read be read once more. False where it is in another state, or there is none. */
export async function reopenFile(
  client: Queryable,
  { tenantId }: Scope,
  file: string,
): Promise<boolean> {
  const row = await firstRow<{ reopened: boolean }>(client, reopen, [tenantId, file]);
  return row?.reopened === true;
}

const reopenLike: Statement = {
  name: 'reopen_bank_files_like',
  text: 'SELECT l.id FROM ops.reopen_bank_files_like($1, $2) AS l (id)',
};

/**
 * Lets the other files of a connection be read once more, too, that have statements in the currencies in which a file has
 * statements of other accounts. Their ids.
 */
export async function reopenFilesLike(
  client: Queryable,
  { tenantId }: Scope,
  file: string,
): Promise<string[]> {
  const found = await rows<{ id: string }>(client, reopenLike, [tenantId, file]);
  return found.map(({ id }) => id);
}

const dismiss = named(
  'dismiss_bank_file',
  ['tenant', 'file', 'explanation', 'action'],
  `
    UPDATE bank_file f SET status = 'dismissed', explanation = @explanation, action_id = @action::uuid
    WHERE f.tenant_id = @tenant AND f.id = @file AND f.status = 'unreadable'
    RETURNING f.id`,
);

/**
 * Takes a file that cannot be read off the desk, with what it is. Null, or why not: nothing of a file in another state
 * is taken back.
 */
export async function dismissFile(
  client: Queryable,
  scope: Scope,
  file: string,
  { explanation, actionId: action }: { readonly explanation: string; readonly actionId: string },
): Promise<'no_file' | 'file_not_unreadable' | null> {
  if (!isId('bankFile', file)) return 'no_file';
  const { tenantId: tenant } = scope;
  const values = dismiss.of({ tenant, file, explanation, action });
  if ((await firstRow(client, dismiss, values)) !== null) return null;
  return (await findBankFile(client, scope, file)) === null ? 'no_file' : 'file_not_unreadable';
}

const pieceOfFile = named(
  'bank_file_chunk_content',
  ['tenant', 'file', 'seq'],
  `
    SELECT c.content FROM bank_file_chunk c
    WHERE c.tenant_id = @tenant AND c.file_id = @file AND c.seq = @seq`,
);

/** An encrypted piece of a file. Throws where it is gone. */
export async function readPiece(
  client: Queryable,
  { tenantId: tenant }: Scope,
  file: string,
  seq: number,
): Promise<Buffer> {
  const values = pieceOfFile.of({ tenant, file, seq });
  const found = await firstRow<{ content: Buffer }>(client, pieceOfFile, values);
  if (found === null) throw new Error(`the file ${file} has no piece ${seq}`);
  return found.content;
}

const abandoned = namedOfPlatform(
  'abandoned_bank_files',
  ['minutes', 'take'],
  `
    SELECT f.tenant_id AS "tenantId", f.id FROM across.bank_file f
    WHERE f.status = 'arriving' AND f.received_at < now() - make_interval(mins => @minutes::integer)
    ORDER BY f.received_at, f.tenant_id, f.id LIMIT @take`,
);

export interface FileKey {
  readonly tenantId: string;
  readonly id: string;
}

/** Files of every tenant that began to arrive `minutes` ago or earlier and never did. */
export function findAbandoned(pool: Pool, minutes: number, take: number): Promise<FileKey[]> {
  return rowsAcross<{ tenantId: string; id: string }>(
    pool,
    abandoned,
    abandoned.of({ minutes, take }),
  );
}

const unfinished = namedOfPlatform(
  'unfinished_bank_files',
  ['minutes', 'take'],
  `
    SELECT f.tenant_id AS "tenantId", f.id, f.status FROM across.bank_file f
    WHERE (f.status IN ('arriving', 'received') OR (f.status = 'read' AND f.applied_at IS NULL))
      AND f.status <> 'arriving' AND f.received_at < now() - make_interval(mins => @minutes::integer)
    ORDER BY f.received_at, f.tenant_id, f.id LIMIT @take`,
);

/** Stored files of every tenant that are not read or not applied `minutes` after they arrived. */
export function findUnfinished(
  pool: Pool,
  minutes: number,
  take: number,
): Promise<(FileKey & { readonly status: 'received' | 'read' })[]> {
  return rowsAcross<{ tenantId: string; id: string; status: 'received' | 'read' }>(
    pool,
    unfinished,
    unfinished.of({ minutes, take }),
  );
}
