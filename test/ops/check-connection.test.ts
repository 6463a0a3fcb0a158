import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectBank, europeanBank, insertBank } from '../support/banking.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { runProgram } from '../support/program.ts';
import { sftpLogin, startSftpServer, type SftpServer } from '../support/sftp-server.ts';
import { useHarness } from '../support/use-harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'check-connection-'));
const settings = {
  BANK_FOLDERS: join(folder, 'mounted'),
  SANDBOX_BANK_FOLDER: join(folder, 'sandbox'),
};
const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent', ...settings } });

let tenant: TestTenant;
let server: SftpServer;
beforeAll(async () => {
  tenant = await makeTenant(harness, { environment: 'production' });
  server = await startSftpServer(join(folder, 'server'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** `npm run ops -- check-connection …` as a process, with the settings of a worker. */
async function check(words: readonly string[], more: Record<string, string> = settings) {
  const DATABASE_URL = harness.services.config.DATABASE_URL ?? '';
  const given = { DATABASE_URL, LOG_LEVEL: 'silent', ...more };
  const ended = await runProgram('src/ops.ts', ['check-connection', ...words], given);
  const missing = ended.out.split('\n').filter((line) => line.startsWith('MISSING'));
  return { ...ended, missing };
}

const atServer = (given: object = {}) =>
  insertBank(harness, tenant, {
    transport: {
      ...europeanBank.transport,
      ...sftpLogin,
      host: '127.0.0.1',
      port: server.port,
      hostKey: server.fingerprint,
      ...given,
    },
  });

describe('npm run ops -- check-connection', () => {
  it('finds nothing missing in a folder that is mounted, and leaves no file there', async () => {
    const transport = { kind: 'folder', folder: 'hausbank' };
    const id = await insertBank(harness, tenant, { transport });
    const away = await check([id]);
    expect(away.status).toBe(1);
    const place = join(settings.BANK_FOLDERS, 'hausbank');
    expect(away.missing).toEqual([
      expect.stringContaining(`${place}/in, cannot be read`),
      expect.stringContaining(`${place}/out, cannot be written`),
    ]);
    expect(away.out).toContain('ENOENT');
    for (const name of ['in', 'out']) await mkdir(join(place, name), { recursive: true });
    const whole = await check([id]);
    expect(whole).toMatchObject({ error: '', status: 0, missing: [] });
    expect(whole.out.split('\n').map((line) => line.replace(/\d{4}-.*/, '…'))).toEqual([
      'ok      Hausbank (production) is active.',
      'ok      The next file closes at …',
      'ok      A file of sepa_credit_transfer can be made.',
      'ok      A file of cross_border can be made.',
      `ok      The folder of files from the bank, ${place}/in, can be read. It has 0 files.`,
      `ok      The folder of files to the bank, ${place}/out, can be written and read.`,
      '',
    ]);
    expect(await readdir(join(place, 'out'))).toEqual([]);
    const unset = await check([id], {});
    expect(unset.missing).toEqual([expect.stringContaining('BANK_FOLDERS is not set')]);
  });

  it('tells a wrong password, a wrong key and a missing folder of a server apart', async () => {
    const id = await atServer();
    const absent = await check([id]);
    expect(absent.status).toBe(1);
    expect(absent.missing).toHaveLength(2);
    for (const name of ['in', 'out'])
      await mkdir(join(folder, 'server', name), { recursive: true });
    expect(await check([id])).toMatchObject({ status: 0, missing: [], error: '' });
    expect(await readdir(join(folder, 'server', 'out'))).toEqual([]);
    const login = await check([await atServer({ password: 'another one' })]);
    const key = await check([await atServer({ hostKey: europeanBank.transport.hostKey })]);
    const silent = await check([await atServer({ port: 1 })]);
    const locked = await check([await atServer({ privateKey: 'no key', passphrase: 'x' })]);
    const why = [absent, login, key, silent, locked].map(({ missing }) => missing.join(' '));
    expect(why).toEqual([
      expect.stringContaining('there is no such file or folder'),
      expect.stringContaining('refused the login'),
      expect.stringContaining('another key than the pinned one'),
      expect.stringContaining('was not reached'),
      expect.stringContaining('The private key cannot be read'),
    ]);
    for (const { status, out, error } of [login, key, silent, locked]) {
      expect(status).toBe(1);
      expect(out + error).not.toContain('another one');
    }
  });

  it('reaches the sandbox bank of the settings, whose folders it makes', async () => {
    const sandbox = await makeTenant(harness);
    const id = await connectBank(harness, sandbox);
    expect(await check([id])).toMatchObject({ status: 0, missing: [] });
    const without = await check([id], {});
    expect(without.missing).toEqual([expect.stringContaining('no sandbox bank')]);
  });

  it('says that a connection is paused, carried by hand or unknown, and what it takes', async () => {
    const id = await insertBank(harness, tenant, { transport: { kind: 'manual' } });
    await harness.database.pool.query(
      `UPDATE bank_connection SET status = 'paused' WHERE id = $1`,
      [id],
    );
    const paused = await check([id]);
    expect(paused.missing).toEqual(['MISSING Hausbank (production) is paused: no file leaves.']);
    expect(paused.out).toContain('carried by hand');
    expect((await check(['bcn_nothing'])).missing).toEqual([
      expect.stringContaining('no such connection'),
    ]);
    expect(await check([])).toMatchObject({
      status: 2,
      error: expect.stringContaining('takes one connection'),
    });
    expect((await check(['--help'])).out).toContain('Usage: npm run ops -- check-connection');
  });
});
