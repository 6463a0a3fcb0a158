import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openBankFile } from '../../../src/domain/bank-file/content.ts';
import { fetchConnectionFiles } from '../../../src/domain/bank-file/fetch.ts';
import {
  closeArrival,
  discardArrival,
  findBankFile,
} from '../../../src/domain/bank-file/file-store.ts';
import { readStoredFile } from '../../../src/domain/bank-file/read.ts';
import { statement } from '../../support/bank-answers.ts';
import { useBankInbox } from '../../support/bank-inbox.ts';
import { behind } from '../../support/behind.ts';

const world = useBankInbox();

const shown = { account: '000123456789', currency: 'USD', day: '2026-11-30', movements: [] };
const files = () =>
  world.sql<{ id: string; status: string }>('SELECT id, status FROM bank_file ORDER BY id');

async function bytesOf(fileId: string): Promise<Buffer> {
  const file = await findBankFile(world.call.services.pool, world.call.scope, fileId);
  if (file === null) throw new Error('the file is stored');
  const pieces: Buffer[] = [];
  for await (const piece of openBankFile(world.call, file)) pieces.push(piece);
  return Buffer.concat(pieces);
}

it('stores a file in encrypted pieces and gives the same bytes back', async () => {
  const content = Buffer.alloc(300_000, 'a line of a statement\n');
  const { fileId, news } = await world.store(content);
  expect(news).toBe(true);
  expect((await bytesOf(fileId)).equals(content)).toBe(true);
  const pieces = await world.sql<{ seq: number; content: Buffer }>(
    'SELECT seq, content FROM bank_file_chunk ORDER BY seq',
  );
  expect(pieces.map(({ seq }) => seq)).toEqual([0, 1, 2]);
  expect(pieces.some((piece) => piece.content.includes('statement'))).toBe(false);
});

it('notices a piece that was moved', async () => {
  const { fileId } = await world.store(Buffer.alloc(300_000, 'x'));
  await world.sql('UPDATE bank_file_chunk SET seq = seq + 10');
  await world.sql('UPDATE bank_file_chunk SET seq = 11 - seq WHERE seq IN (10, 11)');
  await expect(bytesOf(fileId)).rejects.toThrow();
});

it('stores the same bytes once for a connection, also at the same moment', async () => {
  const text = statement(shown);
  const [one, two] = await Promise.all([world.store(text), world.store(text)]);
  const again = await world.store(text);
  expect([one.news, two.news].toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true]);
  expect(again).toEqual({ fileId: one.fileId, news: false, waits: false });
  expect(two.fileId).toBe(one.fileId);
  expect(await files()).toMatchObject([{ status: 'received' }]);
  const other = await world.connect();
  expect(await world.store(text, other)).toMatchObject({ news: true, waits: false });
});

it('keeps nothing of a file that does not arrive whole', async () => {
  async function* broken() {
    yield await Promise.resolve(Buffer.alloc(1_500_000, 'x'));
    throw new Error('cut');
  }
  const { storeBankFile } = await import('../../../src/domain/bank-file/content.ts');
  const arrival = {
    connectionId: world.bank.connection,
    name: 'x',
    takenBy: null,
    bytes: broken(),
  };
  await expect(storeBankFile(world.call, arrival)).rejects.toThrow('cut');
  expect(await files()).toEqual([]);
  expect(await world.sql('SELECT 1 FROM bank_file_chunk')).toEqual([]);
});

it('keeps all pieces of a file that arrives while it is given up', async () => {
  const content = Buffer.from(statement(shown));
  const { fileId } = await world.store(content);
  const { pool } = world.call.services;
  await world.sql(`UPDATE bank_file SET status = 'arriving'`);
  const arrived = {
    file: fileId,
    status: 'received' as const,
    sha256: 'a'.repeat(64),
    bytes: content.length,
    chunks: 1,
  };
  await behind(
    pool,
    (client) => closeArrival(client, world.call.scope, arrived),
    () => discardArrival(pool, world.call.scope, fileId),
  );
  expect(await files()).toMatchObject([{ status: 'received' }]);
  expect(await world.sql('SELECT 1 FROM bank_file_chunk')).toHaveLength(1);
});

it('keeps a file that cannot be read, with the problem and its place, and reads the others', async () => {
  const inbox = join(dirname(world.out()), 'in');
  await mkdir(join(inbox, 'archive'), { recursive: true });
  await writeFile(join(inbox, 'broken.xml'), '<?xml version="1.0"?><!DOCTYPE a><a/>');
  await writeFile(join(inbox, 'good.xml'), statement(shown));
  await fetchConnectionFiles(world.call, world.bank.connection);
  await fetchConnectionFiles(world.call, world.bank.connection);
  for (const { id } of await files()) await readStoredFile(world.call, id);
  const rows = await world.sql(
    'SELECT name, status, problem, problem_place FROM bank_file ORDER BY name',
  );
  expect(rows).toEqual([
    { name: 'broken.xml', status: 'unreadable', problem: 'doctype', problem_place: 'line 1' },
    { name: 'good.xml', status: 'read', problem: null, problem_place: null },
  ]);
  expect((await readdir(inbox)).toSorted()).toEqual(['archive']);
  expect((await readdir(join(inbox, 'archive'))).length).toBe(2);
});
