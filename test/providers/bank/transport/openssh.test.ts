import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SftpSettings } from '../../../../src/providers/bank-connection.ts';
import type { BankTransport } from '../../../../src/providers/bank/transport/port.ts';
import { sftpTransport } from '../../../../src/providers/bank/transport/sftp.ts';
import { opensshMissing, startOpenssh, type OpensshServer } from './openssh-server.ts';
import { conditionMs } from '../../../support/patience.ts';
import { bytes, conforms, makeFolders } from './conformance.ts';

const limits = { connectMs: conditionMs, stepMs: conditionMs };

describe.skipIf(opensshMissing !== null)(`OpenSSH's own server ${opensshMissing ?? ''}`, () => {
  let folder: string;
  let root: string;
  let server: OpensshServer;
  let transport: BankTransport;

  const reach = (more: Partial<SftpSettings> = {}): BankTransport => {
    const { port, username, fingerprint: hostKey, privateKey } = server;
    const folders = { outFolder: 'out', inFolder: 'in' };
    return sftpTransport(
      { kind: 'sftp', host: '127.0.0.1', port, username, hostKey, ...folders, ...more },
      { privateKey },
      limits,
    );
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bank-'));
    root = join(folder, 'bank');
    server = await startOpenssh(join(folder, 'server'), root);
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await makeFolders(root);
    transport = reach();
  });
  afterEach(async () => {
    await transport.close();
    await rm(root, { recursive: true, force: true });
  });

  conforms(() => ({ transport, root }));

  it('gets no login where its key is not the pinned one', async () => {
    const other = reach({ hostKey: `SHA256:${'A'.repeat(43)}` });
    await expect(other.find('a.xml')).rejects.toMatchObject({
      verdict: 'retry',
      message: expect.stringContaining('another key than the pinned one') as string,
    });
  });

  it('keeps the file that is there under a name', async () => {
    await transport.stage('a.xml.1.part', bytes);
    await transport.publish('a.xml.1.part', 'a.xml');
    await transport.stage('b.xml.1.part', Buffer.from('another'));
    await expect(transport.publish('b.xml.1.part', 'a.xml')).rejects.toThrow(/renaming the file/);
    expect((await readdir(join(root, 'out'))).toSorted()).toEqual(['a.xml', 'b.xml.1.part']);
  });
});
