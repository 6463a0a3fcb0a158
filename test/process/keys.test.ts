import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyIdOf, type Keyring } from '../../src/crypto/keyring.ts';
import { loadConfig } from '../../src/process/config.ts';
import { readKeyring } from '../../src/process/key-source.ts';
import { ConfigError } from '../../src/process/settings/setting.ts';
import { createKeys, type Keys } from '../../src/process/keys.ts';
import type { Log } from '../../src/process/log.ts';
import { conditionMs } from '../support/patience.ts';

const key = () => randomBytes(32).toString('base64');
const [k1, k2] = [`k1:${key()}`, `k2:${key()}`];
const place = { tenantId: 'ten_1', row: 'ben_1', field: 'tax_id' };

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  file = join(folder, 'keyring');
});
beforeEach(() => writeFile(file, `${k1}\n`));
afterAll(() => rm(folder, { recursive: true }));

describe('the keyring at the start', () => {
  it.each([
    ['the variable', () => ({ ENCRYPTION_KEYS: k1 })],
    ['a file', () => ({ ENCRYPTION_KEYS_FILE: file })],
    ['a command', () => ({ ENCRYPTION_KEYS_COMMAND: `cat '${file}'` })],
    ['a command that a file holds', () => ({ ENCRYPTION_KEYS_COMMAND_FILE: file })],
  ])('comes from %s', async (name, settings) => {
    if (name.endsWith('holds')) await writeFile(file, `echo ${k1}`);
    expect(readKeyring(settings())).toBe(k1);
    expect(loadConfig(settings()).ENCRYPTION_KEYS).toBe(k1);
  });

  it.each([
    [{ ENCRYPTION_KEYS: 'k1:abc' }, 'ENCRYPTION_KEYS: key k1 must be the base64 of 32 bytes'],
    [{ ENCRYPTION_KEYS: `${k1},${k1}` }, 'ENCRYPTION_KEYS: key k1 is there twice'],
    [{ ENCRYPTION_KEYS: 'none' }, 'ENCRYPTION_KEYS: expected <id>:<base64>'],
    [{ SIMULATOR_API_KEY: 'k' }, 'SIMULATOR_API_KEY: must have 16 characters or more'],
    [{ ENCRYPTION_KEYS_COMMAND: 'exit 3' }, 'ENCRYPTION_KEYS_COMMAND: ended with status 3'],
    [{ ENCRYPTION_KEYS_COMMAND: 'kill -9 $$' }, 'ENCRYPTION_KEYS_COMMAND: was ended by SIGKILL'],
    [{ ENCRYPTION_KEYS_COMMAND: 'true' }, 'ENCRYPTION_KEYS_COMMAND: printed nothing'],
    [{ ENCRYPTION_KEYS_FILE: '/no/such/file' }, 'ENCRYPTION_KEYS_FILE: cannot read /no/such/file'],
    [
      { ENCRYPTION_KEYS: k1, ENCRYPTION_KEYS_COMMAND: 'true' },
      'ENCRYPTION_KEYS and ENCRYPTION_KEYS_COMMAND: set one of them alone',
    ],
  ])('is refused for %o', (settings, told) => {
    const load = () => loadConfig(settings);
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(told);
  });
});

describe('the keyring of a running process', () => {
  const lines: [string, unknown, string][] = [];
  const said =
    (level: string) =>
    (...given: [unknown, string]) =>
      lines.push([level, ...given]);
  const log = { info: said('info'), warn: said('warn'), error: said('error') } as unknown as Log;
  let keys: Keys;
  /** What the data says of a ring. */
  let judge: (ring: Keyring) => Promise<readonly string[]>;

  async function start(settings: NodeJS.ProcessEnv, production = false): Promise<Keys> {
    const config = loadConfig({ ENCRYPTION_KEYS_REFRESH_SECONDS: '1', ...settings });
    keys = createKeys({ ...config, NODE_ENV: production ? 'production' : 'test' }, log);
    await keys.start((ring) => judge(ring));
    return keys;
  }
  beforeEach(() => {
    lines.splice(0);
    judge = () => Promise.resolve([]);
  });
  afterEach(() => keys.stop());

  const until = (check: () => void) => vi.waitFor(check, { timeout: conditionMs, interval: 20 });

  it.each([
    ['the file', () => ({ ENCRYPTION_KEYS_FILE: file })],
    ['the command', () => ({ ENCRYPTION_KEYS_COMMAND: `cat '${file}'` })],
  ])('follows %s', async (_name, settings) => {
    const { keyring } = await start(settings());
    const sealed = keyring.encrypt('a', place);
    await writeFile(file, `${k2},${k1}`);
    await until(() => expect(keyring.keyIds).toEqual(['k2', 'k1']));
    expect(keyIdOf(keyring.encrypt('b', place))).toBe('k2');
    expect(keyring.decrypt(sealed, place)).toBe('a');
    expect(lines).toEqual([['info', { keys: ['k2', 'k1'] }, 'the encryption keys were replaced']]);
  });

  it('reads at once on SIGHUP', async () => {
    const { keyring } = await start({
      ENCRYPTION_KEYS_FILE: file,
      ENCRYPTION_KEYS_REFRESH_SECONDS: '86400',
    });
    await writeFile(file, k2);
    process.emit('SIGHUP', 'SIGHUP');
    await until(() => expect(keyring.keyIds).toEqual(['k2']));
  });

  it('reads at once when another process encrypted with a newer key', async () => {
    const { keyring } = await start({
      ENCRYPTION_KEYS_FILE: file,
      ENCRYPTION_KEYS_REFRESH_SECONDS: '86400',
    });
    await writeFile(file, `${k2},${k1}`);
    const sealed = createKeys(loadConfig({ ENCRYPTION_KEYS_FILE: file }), log).keyring.encrypt(
      'a',
      place,
    );
    expect(() => keyring.decrypt(sealed, place)).toThrow('lacks the key');
    await until(() => expect(keyring.decrypt(sealed, place)).toBe('a'));
  });

  it.each([
    ['is gone', () => unlink(file), /ENOENT/],
    ['is empty', () => writeFile(file, ''), /expected <id>:<base64>/],
    ['gives an id other bytes', () => writeFile(file, `k1:${key()}`), /key k1 has other bytes/],
    [
      'has a weak key, in production',
      () => writeFile(file, `k2:${Buffer.alloc(32).toString('base64')},${k1}`),
      /key 1 of the ring is a sequence/,
    ],
  ])(
    'keeps its keys when the file %s, says so, and takes better ones',
    async (name, spoil, told) => {
      const { keyring, unread } = await start(
        { ENCRYPTION_KEYS_FILE: file },
        name.endsWith('production'),
      );
      const sealed = keyring.encrypt('a', place);
      await spoil();
      process.emit('SIGHUP', 'SIGHUP');
      await until(() => expect(unread()).toMatch(told));
      expect(unread()).not.toContain(folder);
      expect(keyring.decrypt(sealed, place)).toBe('a');
      expect(lines[0]).toEqual([
        'error',
        { source: 'ENCRYPTION_KEYS_FILE', message: expect.stringMatching(told) },
        'the encryption keys could not be read again; the ones before stay in use',
      ]);
      expect(JSON.stringify(lines)).not.toContain(k1.slice(3));

      await writeFile(file, `${k2},${k1}`);
      process.emit('SIGHUP', 'SIGHUP');
      await until(() => expect(unread()).toBeNull());
      expect(keyring.keyIds).toEqual(['k2', 'k1']);
    },
  );

  it('is refused at the start by the name of its key, and encrypts nothing', async () => {
    judge = () => Promise.resolve(['the key k1 has other bytes', 'the key k0 is missing']);
    const told = 'ENCRYPTION_KEYS: the key k1 has other bytes; the key k0 is missing';
    await expect(start({ ENCRYPTION_KEYS_FILE: file })).rejects.toThrow(told);
    expect(keys.problem()).toBe(told);
    expect(() => keys.keyring.encrypt('a', place)).toThrow(told);
  });

  it('encrypts nothing until it could be judged', async () => {
    const away = Promise.withResolvers<void>();
    judge = async () => {
      await away.promise;
      return [];
    };
    const started = start({ ENCRYPTION_KEYS_FILE: file });
    await until(() => expect(keys.problem()).toBe('the encryption keys are not judged yet'));
    expect(() => keys.keyring.encrypt('a', place)).toThrow('not judged yet');
    away.resolve();
    await started;
    expect(keys.problem()).toBeNull();
    expect(keyIdOf(keys.keyring.encrypt('a', place))).toBe('k1');
  });

  it('waits for a database that cannot be asked, and says so', async () => {
    let asked = 0;
    judge = () => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve([]);
    };
    await start({ ENCRYPTION_KEYS_FILE: file });
    expect(asked).toBe(2);
    expect(keys.problem()).toBeNull();
    expect(lines).toEqual([
      ['warn', { message: 'away' }, 'The keyring cannot be checked until the database answers.'],
    ]);
  });

  it('is not replaced by a ring that the data refuses, and says so', async () => {
    const { keyring, unread, problem } = await start({ ENCRYPTION_KEYS_FILE: file });
    judge = (ring) =>
      Promise.resolve(ring.keyIds.includes('k1') ? [] : ['the key k1 is not in the keyring']);
    await writeFile(file, k2);
    process.emit('SIGHUP', 'SIGHUP');
    await until(() => expect(unread()).toBe('ENCRYPTION_KEYS: the key k1 is not in the keyring'));
    expect([keyring.keyIds, problem()]).toEqual([['k1'], null]);
    expect(lines[0]).toEqual([
      'error',
      {
        source: 'ENCRYPTION_KEYS_FILE',
        message: 'ENCRYPTION_KEYS: the key k1 is not in the keyring',
      },
      'the encryption keys could not be read again; the ones before stay in use',
    ]);
  });

  it('encrypts nothing when the data turns out to need other keys, until it fits again', async () => {
    const { keyring, problem, judgeAgain } = await start({ ENCRYPTION_KEYS: k1 });
    judge = () => Promise.resolve(['the key k7 is not in the keyring']);
    judgeAgain();
    await until(() => expect(problem()).toBe('ENCRYPTION_KEYS: the key k7 is not in the keyring'));
    expect(() => keyring.encrypt('a', place)).toThrow('k7');
    judge = () => Promise.reject(new Error('away'));
    judgeAgain();
    judge = () => Promise.resolve([]);
    await until(() => {
      judgeAgain();
      expect(problem()).toBeNull();
    });
    expect(keyIdOf(keyring.encrypt('a', place))).toBe('k1');
  });
});
