import { randomBytes } from 'node:crypto';
import ssh2, { type SFTPWrapper } from 'ssh2';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../providers/support.ts';
import { customer, payTo, startBank, transfers } from './support.ts';

const password = 'the-password-of-this-test';

const clients: ssh2.Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.end();
});

/** A login at the bank; rejects where it is refused. */
function connect(port: number, settings: ssh2.ConnectConfig = {}): Promise<SFTPWrapper> {
  const client = new ssh2.Client();
  clients.push(client);
  return new Promise((resolve, reject) => {
    client.on('error', reject);
    client.on('ready', () => {
      client.setNoDelay(true);
      client.sftp((error, sftp) => (error === undefined ? resolve(sftp) : reject(error)));
    });
    client.connect({ host: '127.0.0.1', port, username: 'sandbox', password, ...settings });
  });
}

/** One call of the client, as a promise. */
const done = (run: (end: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    run((error) => (error === undefined || error === null ? resolve() : reject(error)));
  });

const list = (sftp: SFTPWrapper, path: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    sftp.readdir(path, (error, files) => {
      // What begins with a full stop is still being written.
      const names = files?.map(({ filename }) => filename).filter((name) => !name.startsWith('.'));
      if (error === undefined) resolve(names);
      else reject(error);
    });
  });

const read = (sftp: SFTPWrapper, path: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    sftp.readFile(path, (error, bytes) => (error === undefined ? resolve(bytes) : reject(error)));
  });

const write = (sftp: SFTPWrapper, path: string, content: string | Buffer) =>
  done((end) => sftp.writeFile(path, content, end));
const rename = (sftp: SFTPWrapper, from: string, to: string) =>
  done((end) => sftp.rename(from, to, end));

async function world() {
  const bank = await startBank({ port: 0, password });
  const { sftp } = bank.world.simulator;
  if (sftp === null) throw new Error('the bank serves no SFTP');
  return { ...bank, port: sftp.port, hostKey: sftp.hostKey, login: await connect(sftp.port) };
}

describe('the bank over SFTP', () => {
  it('takes a file after its rename, and answers', async () => {
    const { login, put: _, ...bank } = await world();
    await write(login, `/${customer}/out/.a.xml.part`, await transfers([payTo()]));
    await rename(login, `/${customer}/out/.a.xml.part`, `/${customer}/out/a.xml`);
    await eventually(async () => expect(await list(login, `${customer}/in`)).toHaveLength(4));
    const names = await list(login, `/${customer}/in`);
    const name = names.find((one) => one.startsWith('statement')) ?? '';
    expect(String(await read(login, `/${customer}/in/${name}`))).toBe(await bank.text(name));
    await rename(login, `/${customer}/in/${name}`, `/${customer}/in/archive/${name}`);
    expect(await list(login, `/${customer}/in/archive`)).toEqual([name]);
    expect(await list(login, `/${customer}/out`)).toEqual([]);
  });

  it('carries files of any size as they are', async () => {
    const { login } = await world();
    const bytes = randomBytes(400_000);
    await write(login, `/${customer}/out/large.tmp`, bytes);
    expect((await read(login, `/${customer}/out/large.tmp`)).equals(bytes)).toBe(true);
    await expect(rename(login, '/x/out/none', '/x/out/other')).rejects.toThrow('No such file');
    await write(login, '/x/out/.there', 'a');
    await write(login, '/x/out/.other', 'b');
    await expect(rename(login, '/x/out/.other', '/x/out/.there')).rejects.toThrow();
  });

  it('keeps its host key, and lets nobody in without the password', async () => {
    const bank = await world();
    await expect(connect(bank.port, { password: 'another' })).rejects.toThrow('authentication');
    await expect(connect(bank.port, { username: 'root' })).rejects.toThrow('authentication');
    await bank.restart();
    expect(bank.world.simulator.sftp?.hostKey).toBe(bank.hostKey);
    expect(bank.hostKey).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });

  it('shows nobody what is not in the folders of customers', async () => {
    const { login } = await world();
    expect(await list(login, '/')).toEqual([customer]);
    expect(await list(login, '/../../..')).toEqual([customer]);
    await expect(read(login, '/../book.jsonl')).rejects.toThrow('No such file');
  });

  it.each([
    ['write', []],
    ['before_rename', []],
    ['after_rename', ['a.xml']],
  ] as const)('cuts the connection: %s', async (cut, taken) => {
    const bank = await world();
    const text = await transfers([payTo()]);
    await bank.control('PUT', 'faults', { cut_sftp: cut, cuts: 1 });
    const sending = async () => {
      await write(bank.login, `/${customer}/out/.a.xml`, text);
      await rename(bank.login, `/${customer}/out/.a.xml`, `/${customer}/out/a.xml`);
    };
    let isAnswered = false;
    const lost = new Promise<void>((resolve) => {
      clients[0]?.on('close', () => resolve());
    });
    void sending().then(
      () => (isAnswered = true),
      () => undefined,
    );
    await lost;
    expect(isAnswered).toBe(false);
    const files = async () => (await bank.book()).orders.length;
    if (taken.length > 0) await eventually(async () => expect(await files()).toBe(1));
    else expect(await files()).toBe(0);
  });
});
