import { expect, test } from 'vitest';
import { loadConfig } from '../../src/process/config.ts';

const apart = 'SANDBOX_BANK_FOLDER: must lie apart from BANK_FOLDERS';

test.each([
  ['/banks', '/banks'],
  ['/banks', '/banks/sandbox/'],
  ['/srv/banks/production', '/srv/banks'],
  ['/', '/srv/sandbox'],
])('no folder of the sandbox is one of production: %s and %s', (own, sandbox) => {
  const env = { NODE_ENV: 'test', BANK_FOLDERS: own, SANDBOX_BANK_FOLDER: sandbox };
  expect(() => loadConfig(env)).toThrow(apart);
});

test.each([
  ['/banks', '/banks-sandbox'],
  ['/srv/banks', '/srv/..sandbox'],
  ['/srv/banks', '/srv/sandbox'],
])('folders that lie apart are taken: %s and %s', (own, sandbox) => {
  const env = { NODE_ENV: 'test', BANK_FOLDERS: own, SANDBOX_BANK_FOLDER: sandbox };
  expect(loadConfig(env)).toMatchObject({ BANK_FOLDERS: own, SANDBOX_BANK_FOLDER: sandbox });
});

test('an SFTP server of the sandbox needs its key', () => {
  const env = { NODE_ENV: 'test', SANDBOX_BANK_SFTP_URL: 'sftp://payouts@127.0.0.1:2222' };
  expect(() => loadConfig(env)).toThrow('SANDBOX_BANK_SFTP_HOST_KEY: required');
});
