import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sandboxKey } from '../../../dev/stack/sandbox-key.ts';

let folder: string;
let server: Server;
let baseUrl: string;
let calls: string[];
let validKeys: Set<string>;
let profileStatus: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'key-'));
  calls = [];
  validKeys = new Set();
  profileStatus = 200;
  server = createServer((request, response) => {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    calls.push(`${String(request.method)} ${String(request.url)}`);
    let status = validKeys.has(key) ? 200 : 401;
    let body = '{}';
    if (request.url === '/v1/registration') {
      const made = `key-${validKeys.size + 1}`;
      validKeys.add(made);
      status = 201;
      body = JSON.stringify({ api_key: { key: made } });
    } else if (request.url === '/v1/business/profile' && status === 200) {
      status = profileStatus;
    }
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  baseUrl = `http://127.0.0.1:${address.port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const file = () => join(folder, 'sandbox-key');

test('registers a business once, submits its profile, and keeps the key for its owner alone', async () => {
  expect(await sandboxKey(baseUrl, file())).toBe('key-1');
  expect(calls).toEqual(['POST /v1/registration', 'PUT /v1/business/profile']);
  expect(readFileSync(file(), 'utf8')).toBe('key-1\n');
  expect(statSync(file()).mode & 0o777).toBe(0o600);

  calls = [];
  expect(await sandboxKey(baseUrl, file())).toBe('key-1');
  expect(calls).toEqual(['GET /v1/funding/account']);
});

test('a key that does not authenticate any more is replaced', async () => {
  await sandboxKey(baseUrl, file());
  validKeys = new Set(['another']);
  expect(await sandboxKey(baseUrl, file())).toBe('key-2');
  expect(readFileSync(file(), 'utf8')).toBe('key-2\n');
});

test('a refusal is told with its status, and no key is kept', async () => {
  profileStatus = 500;
  await expect(sandboxKey(baseUrl, file())).rejects.toThrow(
    'PUT /v1/business/profile answered 500: {}',
  );
  expect(() => readFileSync(file())).toThrow('ENOENT');
});
