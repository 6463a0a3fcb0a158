import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SftpSettings } from '../../../../src/providers/bank-connection.ts';
import type { BankTransport } from '../../../../src/providers/bank/transport/port.ts';
import { sftpTransport } from '../../../../src/providers/bank/transport/sftp.ts';
import { conditionMs } from '../../../support/patience.ts';
import { sftpLogin, startSftpServer, type SftpServer } from '../../../support/sftp-server.ts';
import { bytes, conforms, makeFolders, sha256 } from './conformance.ts';

const { username, password } = sftpLogin;
const limits = { connectMs: conditionMs, stepMs: conditionMs };
const shortMs = 100;

let root: string;
let server: SftpServer;
let transport: BankTransport;

function settings(more: Partial<SftpSettings> = {}): SftpSettings {
  const { port, fingerprint: hostKey } = server;
  const folders = { outFolder: 'out', inFolder: 'in' };
  return { kind: 'sftp', host: '127.0.0.1', port, username, hostKey, ...folders, ...more };
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bank-'));
  await makeFolders(root);
  server = await startSftpServer(root);
  transport = sftpTransport(settings(), { password }, limits);
});
afterEach(async () => {
  await transport.close();
  await server.close();
  await rm(root, { recursive: true, force: true });
});

conforms(() => ({ transport, root }));

const outgoing = (): Promise<string[]> => readdir(join(root, 'out'));

describe('a server with another key', () => {
  it('gets no password', async () => {
    const other = `SHA256:${'A'.repeat(43)}`;
    const wrong = sftpTransport(settings({ hostKey: other }), { password }, limits);
    await expect(wrong.find('a.xml')).rejects.toMatchObject({
      verdict: 'retry',
      message: expect.stringContaining('another key than the pinned one') as string,
    });
    expect(server.logins).toBe(0);
  });
});

it('says nothing of a login that is refused', async () => {
  const wrong = sftpTransport(settings(), { password: 'secret word' }, limits);
  const failed = wrong.stage('a.xml.1.part', bytes);
  await expect(failed).rejects.toMatchObject({ verdict: 'retry' });
  await expect(failed).rejects.not.toThrow(/secret word|payouts|127\.0\.0\.1/);
});

describe('a connection that is cut', () => {
  it('while a file is written leaves nothing that counts, and the file is staged again', async () => {
    server.fail({ at: 'WRITE', what: 'cut_before' });
    await expect(transport.stage('a.xml.1.part', bytes)).rejects.toMatchObject({
      verdict: 'retry',
    });
    await transport.stage('a.xml.2.part', bytes);
    await transport.publish('a.xml.2.part', 'a.xml');
    expect(await transport.find('a.xml')).toEqual({ sha256 });
  });

  it.each([
    ['before the rename', 'cut_before', ['a.xml.1.part']],
    ['after the rename', 'cut_after', ['a.xml']],
  ] as const)('%s leaves an unknown outcome, which the folder tells', async (_when, what, left) => {
    await transport.stage('a.xml.1.part', bytes);
    server.fail({ at: 'RENAME', what });
    const failed = transport.publish('a.xml.1.part', 'a.xml');
    await expect(failed).rejects.toMatchObject({ verdict: 'unknown' });
    expect(await outgoing()).toEqual(left);
    const there = await transport.find('a.xml');
    expect(there).toEqual(what === 'cut_after' ? { sha256 } : null);
  });

  it('has the folder listed on the next one before anything else', async () => {
    await transport.stage('a.xml.1.part', bytes);
    server.fail({ at: 'RENAME', what: 'cut_after' });
    await expect(transport.publish('a.xml.1.part', 'a.xml')).rejects.toThrow();
    const before = server.requests.length;
    await transport.publish('a.xml.1.part', 'a.xml'); // sees it, and renames nothing
    expect(server.requests.slice(before)).toEqual(['OPENDIR']);
    expect(await outgoing()).toEqual(['a.xml']);
  });
});

describe('a server that is silent', () => {
  it('is left after a while, and the outcome of a rename is unknown', async () => {
    const own = { ...limits };
    const hasty = sftpTransport(settings(), { password }, own);
    await hasty.stage('a.xml.1.part', bytes);
    server.fail({ at: 'RENAME', what: 'silent' });
    own.stepMs = shortMs;
    const failed = hasty.publish('a.xml.1.part', 'a.xml');
    await expect(failed).rejects.toMatchObject({ verdict: 'unknown' });
    expect(await outgoing()).toEqual(['a.xml']);
  });

  it('while a file is written has it staged again', async () => {
    const own = { ...limits };
    const hasty = sftpTransport(settings(), { password }, own);
    await hasty.find('a.xml');
    server.fail({ at: 'WRITE', what: 'silent' });
    own.stepMs = shortMs;
    await expect(hasty.stage('a.xml.1.part', bytes)).rejects.toMatchObject({ verdict: 'retry' });
  });

  it('in the middle of a file ends the reading', async () => {
    await writeFile(join(root, 'in', 'long.xml'), bytes);
    const own = { ...limits };
    const hasty = sftpTransport(settings(), { password }, own);
    await hasty.list();
    server.fail({ at: 'READ', what: 'silent' });
    own.stepMs = shortMs;
    const read = async () => {
      for await (const _chunk of hasty.read('long.xml')) continue;
    };
    await expect(read()).rejects.toMatchObject({ verdict: 'retry' });
  });
});
