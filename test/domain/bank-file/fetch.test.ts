import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { issueOperatorKey } from '../../../src/access/operator-key.ts';
import { fetchConnectionFiles } from '../../../src/domain/bank-file/fetch.ts';
import type { Config } from '../../../src/process/config.ts';
import { storedReading } from '../../../src/process/metrics/stored-reading.ts';
import { statement } from '../../support/bank-answers.ts';
import { useBankInbox } from '../../support/bank-inbox.ts';
import { sftpLogin, startSftpServer } from '../../support/sftp-server.ts';

/* What a look for a bank's files came to, for those who have to mend it. */

const world = useBankInbox();
let incoming: string;
beforeEach(() => {
  incoming = join(dirname(world.out()), 'in');
});

/** Looks for files, with settings of the deployment in place of the test's own. */
const look = (settings: Partial<Config> = {}) => {
  const { services } = world.call;
  const config = { ...services.config, ...settings };
  const call = { ...world.call, services: { ...services, config } };
  return fetchConnectionFiles(call, world.bank.connection);
};

interface Noted {
  readonly fetched_at: Date | null;
  readonly fetch_problem: string | null;
  readonly fetch_problem_since: Date | null;
}
const noted = async (): Promise<Noted | undefined> =>
  (
    await world.sql<Noted>(
      'SELECT fetched_at, fetch_problem, fetch_problem_since FROM ops.bank_connections WHERE id = $1',
      [world.bank.connection],
    )
  )[0];

/** Which version of the row there is: every write makes another one. */
const version = () =>
  world.sql('SELECT f.ctid::text, f.xmin::text, f.xmax::text FROM bank_fetch f');

async function counted(): Promise<number | undefined> {
  const metrics = await world.sql<{ labels: string[]; value: number }>(storedReading.text);
  return metrics.find(({ labels }) => labels[0] === 'files_not_fetched')?.value;
}

/** No folder is where the bank's files were. */
async function takeFolderAway(): Promise<void> {
  await rename(incoming, `${incoming}.away`);
  await writeFile(incoming, 'no folder');
}
async function bringFolderBack(): Promise<void> {
  await rm(incoming);
  await rename(`${incoming}.away`, incoming);
}

it('notes a success, and writes nothing for those that follow it closely', async () => {
  expect(await noted()).toMatchObject({ fetched_at: null, fetch_problem: null });
  await look();
  expect(await noted()).toMatchObject({ fetched_at: expect.any(Date), fetch_problem: null });
  const before = await version();
  await look();
  await look();
  expect(await version()).toEqual(before);
  await world.sql(`UPDATE bank_fetch SET fetched_at = now() - interval '11 minutes'`);
  const old = await noted();
  await look();
  expect((await noted())?.fetched_at?.getTime()).toBeGreaterThan(old?.fetched_at?.getTime() ?? 0);
});

it('notes a problem once, with the time since when, and forgets it with a success', async () => {
  await look();
  const good = await noted();
  await takeFolderAway();
  await look();
  const bad = await noted();
  expect(bad).toEqual({
    fetched_at: good?.fetched_at,
    fetch_problem: 'listing the incoming files failed (ENOTDIR).',
    fetch_problem_since: expect.any(Date),
  });
  const before = await version();
  await look();
  await look();
  expect(await version()).toEqual(before);
  // Another problem follows it: nothing was fetched in between.
  await world.sql(`UPDATE bank_fetch SET problem_since = now() - interval '1 hour'`);
  const since = (await noted())?.fetch_problem_since;
  await look({ SANDBOX_BANK_FOLDER: null });
  const other = await noted();
  expect(other?.fetch_problem).toContain('The worker has no transport');
  expect(other?.fetch_problem_since).toEqual(since);
  await bringFolderBack();
  await look();
  expect(await noted()).toMatchObject({ fetch_problem: null, fetch_problem_since: null });
});

it('fetches the other files where one of them fails, and says so', async () => {
  await mkdir(incoming, { recursive: true });
  const shown = { account: '000123456789', currency: 'USD', day: '2026-11-30', movements: [] };
  await writeFile(join(incoming, 'a.xml'), statement({ ...shown, id: 'a' }));
  await writeFile(join(incoming, 'b.xml'), statement({ ...shown, id: 'b' }));
  await writeFile(join(incoming, 'archive'), 'no folder');
  await look();
  expect((await noted())?.fetch_problem).toMatch(/^archiving an incoming file failed/);
  const stored = () => world.sql('SELECT name FROM bank_file ORDER BY name');
  expect(await stored()).toMatchObject([{ name: 'a.xml' }, { name: 'archive' }, { name: 'b.xml' }]);
  await rm(join(incoming, 'archive'));
  await look();
  expect(await noted()).toMatchObject({ fetch_problem: null });
  expect(await stored()).toHaveLength(3);
  expect(await readdir(incoming)).toEqual(['archive']);
});

it('fetches the other files where the name of one leads into another folder, and says so', async () => {
  const shown = { account: '000123456789', currency: 'USD', day: '2026-11-30', movements: [] };
  await writeFile(join(incoming, 'a\\..\\b.xml'), statement({ ...shown, id: 'a' }));
  await writeFile(join(incoming, 'c.xml'), statement({ ...shown, id: 'c' }));
  await look();
  expect(await noted()).toMatchObject({
    fetch_problem: String.raw`The incoming file "a\\..\\b.xml" has a name that leads into another folder.`,
  });
  expect(await world.sql('SELECT name, status FROM bank_file')).toEqual([
    { name: 'c.xml', status: 'received' },
  ]);
});

it('leaves a file to the next look that grows while it is read', async () => {
  const path = join(incoming, 'statement.xml');
  const shown = { account: '000123456789', currency: 'USD', day: '2026-11-30', movements: [] };
  const whole = statement(shown);
  const root = dirname(dirname(incoming));
  const server = await startSftpServer(root);
  try {
    const settings = {
      SANDBOX_BANK_SFTP_URL: `sftp://${sftpLogin.username}@127.0.0.1:${server.port}`,
      SANDBOX_BANK_SFTP_HOST_KEY: server.fingerprint,
      SANDBOX_BANK_SFTP_PASSWORD: sftpLogin.password,
    };
    await writeFile(path, whole.slice(0, 100));
    // The bank goes on writing when the file is open.
    server.before = async (request) => {
      if (request === 'READ') await writeFile(path, whole);
    };
    await look(settings);
    expect((await noted())?.fetch_problem).toContain('grew while it was read');
    expect(await world.sql('SELECT 1 FROM bank_file')).toEqual([]);
    expect(await readdir(incoming)).toEqual(['statement.xml']);
    await look(settings);
    expect((await noted())?.fetch_problem).toBeNull();
    expect(await world.sql('SELECT size_bytes FROM bank_file')).toEqual([
      { size_bytes: String(whole.length) },
    ]);
  } finally {
    await server.close();
  }
});

it("tells a refused login from a server's other key", async () => {
  const root = dirname(dirname(incoming));
  const server = await startSftpServer(root);
  try {
    const settings = {
      SANDBOX_BANK_SFTP_URL: `sftp://${sftpLogin.username}@127.0.0.1:${server.port}`,
      SANDBOX_BANK_SFTP_HOST_KEY: server.fingerprint,
      SANDBOX_BANK_SFTP_PASSWORD: sftpLogin.password,
    };
    await look({ ...settings, SANDBOX_BANK_SFTP_PASSWORD: 'another password' });
    expect((await noted())?.fetch_problem).toContain('refused the login');
    const otherKey = `SHA256:${'A'.repeat(43)}`;
    await look({ ...settings, SANDBOX_BANK_SFTP_HOST_KEY: otherKey });
    expect((await noted())?.fetch_problem).toContain('another key than the pinned one');
    await look(settings);
    expect(await noted()).toMatchObject({ fetched_at: expect.any(Date), fetch_problem: null });
  } finally {
    await server.close();
  }
});

it('calls for a person as long as files are to be fetched, and not for a paused or manual connection', async () => {
  await takeFolderAway();
  expect(await counted()).toBe(0);
  await look();
  expect(await counted()).toBe(1);
  for (const change of [`status = 'paused'`, `status = 'active', transport = 'manual'`]) {
    await world.sql(`UPDATE bank_connection SET ${change} WHERE id = $1`, [world.bank.connection]);
    expect(await counted()).toBe(0);
  }
  await world.sql(`UPDATE bank_connection SET transport = 'folder' WHERE id = $1`, [
    world.bank.connection,
  ]);
  await bringFolderBack();
  await look();
  expect(await counted()).toBe(0);
});

it('shows operators what it came to, and no business', async () => {
  const { key: ada } = await issueOperatorKey(world.harness.database.pool, 'Ada');
  const fields = 'connections { id fetch { fetchedAt problem problemSince } }';
  const document = `{ operatorBanking(businessId: "${world.tenant.businessId}", environment: sandbox) { ${fields} } }`;
  const ask = async (key: string) => (await world.harness.graphql(key, document)).body;
  const { connection: id } = world.bank;
  expect((await ask(ada)).data.operatorBanking.connections).toEqual([{ id, fetch: null }]);
  await takeFolderAway();
  await look();
  expect((await ask(ada)).data.operatorBanking.connections).toEqual([
    {
      id,
      fetch: {
        fetchedAt: null,
        problem: 'listing the incoming files failed (ENOTDIR).',
        problemSince: expect.any(String),
      },
    },
  ]);
  expect((await ask(world.tenant.key)).errors[0].extensions.code).toBe('forbidden');
});
