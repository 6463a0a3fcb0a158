import { createHash } from 'node:crypto';
import { newContentKey, openContent, sealPiece } from '../../crypto/content.ts';
import { violatesUnique } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { largestBankFile } from '../../providers/bank/problem.ts';
import { newId } from '../../values/ids.ts';
import { oneLine } from '../../values/one-line.ts';
import {
  appendPiece,
  closeArrival,
  discardArrival,
  findKnownFile,
  openArrival,
  readPiece,
  type StoredBankFile,
} from './file-store.ts';
import { arriveAgain, enqueueReading, type Hold } from './held.ts';

/**
 * Bytes of every piece of a file but the last. One piece at a time is in memory, in several forms: the driver reads
 * it as hexadecimal digits. Pieces of 1 MiB leave tens of megabytes of garbage.
 */
const pieceBytes = 131_072;

const longestName = 255;

/** A key is bound to its file and a piece to its place in it, so that none can be left out or moved. */
const keyPlace = ({ scope }: Call, file: string) => ({
  tenantId: scope.tenantId,
  row: file,
  field: 'content_key',
});
const piecePlace = ({ scope }: Call, file: string, seq: number) => ({
  tenantId: scope.tenantId,
  row: `${file}.${seq}`,
  field: 'content',
});

/** Cuts a stream into pieces of one size; the last one may be shorter. A file that is too large ends early. */
async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  // Each piece is used up before the next one is asked for, so all of them share their memory.
  const piece = Buffer.alloc(pieceBytes);
  let length = 0;
  let total = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + pieceBytes - length);
      piece.set(part, length);
      length += part.length;
      total += part.length;
      at += part.length;
      if (length < pieceBytes) continue;
      yield piece;
      length = 0;
    }
    // The reader names the problem of a file that goes on after the limit.
    if (total > largestBankFile) break;
  }
  if (length > 0) yield piece.subarray(0, length);
}

export interface Arrival {
  readonly connectionId: string;
  /** As the bank named it. */
  readonly name: string;
  /** The operator who brought it; null for a file that the service fetched. */
  readonly takenBy: string | null;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Has the file wait for a second operator; absent where it counts at once. */
  readonly hold?: Hold | undefined;
}

/** A file that is stored; `news` is false where the connection had it before. */
export interface Stored {
  readonly fileId: string;
  readonly news: boolean;
  /** Whether a second operator has to confirm it before anything that it says counts. */
  readonly waits: boolean;
}

/**
 * Stores a file of a bank, encrypted and piece by piece, with the job that reads it, or with the
 * proposal to a second operator. The same bytes are stored once
 * for each connection, whatever their name. What was stored of a file whose stream fails is deleted; after a
 * crash a sweeper deletes it.
 */
export async function storeBankFile(call: Call, arrival: Arrival): Promise<Stored> {
  const { scope, services } = call;
  const { pool } = services;
  const file = newId('bankFile');
  const key = newContentKey();
  const hash = createHash('sha256');
  const name = oneLine(arrival.name).slice(0, longestName);
  await openArrival(pool, scope, {
    file,
    connection: arrival.connectionId,
    name,
    key: services.keyring.encrypt(key, keyPlace(call, file)),
    takenBy: arrival.takenBy,
  });
  try {
    let seq = 0;
    let bytes = 0;
    for await (const piece of piecesOf(arrival.bytes)) {
      hash.update(piece);
      const content = sealPiece(piece, key, piecePlace(call, file, seq));
      await appendPiece(pool, scope, { file, seq, content });
      seq += 1;
      bytes += piece.length;
      crashPoint('bank_file_arriving');
    }
    const arrived = { file, sha256: hash.digest('hex'), bytes, chunks: seq };
    return await complete(call, { ...arrival, name }, arrived);
  } catch (error) {
    await discardArrival(pool, scope, file).catch(() => undefined);
    throw error;
  }
}

/** Makes a file that arrived count or wait, unless the connection has the same bytes already. */
async function complete(
  call: Call,
  { connectionId, name, hold }: Arrival,
  arrived: Omit<Parameters<typeof closeArrival>[2], 'status'>,
): Promise<Stored> {
  const { scope, services } = call;
  const { pool } = services;
  const { file, sha256, bytes } = arrived;
  const status = hold === undefined ? 'received' : 'waiting';
  const known = () => findKnownFile(pool, scope, connectionId, sha256);
  const before = await known();
  if (before === null) {
    try {
      await inTransaction(pool, async (client) => {
        if (!(await closeArrival(client, scope, { ...arrived, status }))) {
          throw new Error(`the file ${file} was given up while it arrived`);
        }
        if (hold === undefined) await enqueueReading(client, scope, file);
        else await hold(client, { id: file, connectionId, name, sizeBytes: BigInt(bytes), sha256 });
      });
      crashPoint('bank_file_stored');
      return { fileId: file, news: true, waits: status === 'waiting' };
    } catch (error) {
      if (!violatesUnique(error, 'bank_file_sha256_key')) throw error;
    }
  }
  const there = before ?? (await known());
  if (there === null) throw new Error('a file that is there twice is there once');
  await discardArrival(pool, scope, file);
  const mayWait = there.status === 'waiting' || there.status === 'dismissed';
  const waits =
    mayWait && (await inTransaction(pool, (client) => arriveAgain(client, scope, there.id, hold)));
  return { fileId: there.id, news: false, waits };
}

/**
 * The bytes of a stored file as they came, a piece at a time. Throws where a piece is missing, was moved or
 * changed, or the whole is not what arrived.
 */
export async function* openBankFile(
  call: Call,
  file: Pick<StoredBankFile, 'id' | 'chunks' | 'sha256' | 'contentKeyCiphertext'>,
): AsyncGenerator<Buffer> {
  const { scope, services } = call;
  const key = services.keyring.decrypt(file.contentKeyCiphertext, keyPlace(call, file.id));
  const hash = createHash('sha256');
  for (let seq = 0; seq < (file.chunks ?? 0); seq += 1) {
    const sealed = await readPiece(services.pool, scope, file.id, seq);
    const piece = openContent(sealed, key, piecePlace(call, file.id, seq));
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== file.sha256)
    throw new Error(`the file ${file.id} is not what arrived`);
}
