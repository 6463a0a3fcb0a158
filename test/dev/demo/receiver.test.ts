import { X509Certificate } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  authorityFile,
  issueServerCertificate,
  loadAuthority,
} from '../../../dev/demo/certificates.ts';
import type { Authority } from '../../../dev/demo/x509.ts';
import { type Receiver, startReceiver } from '../../../dev/demo/receiver.ts';
import { post, signed } from './support/post.ts';
import { patience } from '../../support/patience.ts';

const secret = 'whsec_sandbox_test';
let folder: string;
let authority: Authority;
let receiver: Receiver;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'receiver-'));
  authority = await loadAuthority(folder);
  receiver = await startReceiver(await issueServerCertificate(authority), authorityFile(folder));
  receiver.setSecret(secret);
});
afterEach(async () => {
  await receiver.close();
  await rm(folder, { recursive: true });
});

function event(id: string, type = 'payout.disbursed'): string {
  // Spaces and a number's spelling that a parse and a re-serialisation would not keep.
  return `{ "id":"${id}", "type":"${type}","sequence":1.0,"occurred_at":"2026-11-21T00:00:00.000Z",
    "data":{"payout_id":"pay_1","amount":"1250.00"}}`;
}

const send = (body: string, signature?: string, ca = authority.certificate): Promise<number> =>
  post({ url: receiver.url, ca, body, ...(signature === undefined ? {} : { signature }) });

test('the certificates are well-formed, chained and confined to localhost', async () => {
  const ca = new X509Certificate(authority.certificate);
  const server = new X509Certificate((await issueServerCertificate(authority)).cert);
  expect(ca.ca).toBe(true);
  expect(ca.checkIssued(ca) && ca.verify(ca.publicKey)).toBe(true);
  expect(server.ca).toBe(false);
  expect(server.checkIssued(ca) && server.verify(ca.publicKey)).toBe(true);
  expect(server.checkHost('localhost')).toBe('localhost');
  expect(server.checkHost('example.com')).toBeUndefined();
  expect(server.validToDate.getTime()).toBeGreaterThan(Date.now());
});

test('the authority is made once, its key is its owner’s alone, a damaged one is replaced', async () => {
  expect((await loadAuthority(folder)).certificate).toBe(authority.certificate);
  expect((await stat(join(folder, 'ca.key'))).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).toSorted()).toEqual(['ca.key', 'ca.pem']);
  await chmod(join(folder, 'ca.pem'), 0o644);
  await writeFile(join(folder, 'ca.pem'), authority.certificate.slice(0, 200));
  const renewed = await loadAuthority(folder);
  expect(renewed.certificate).not.toBe(authority.certificate);
  expect(await readFile(join(folder, 'ca.pem'), 'utf8')).toBe(renewed.certificate);
});

test('takes a signed event over TLS, by its raw bytes, and knows it the second time', async () => {
  const body = event('evt_1');
  expect(await send(body, signed(secret, body))).toBe(204);
  expect(await send(body, signed(secret, body))).toBe(204);
  expect(
    receiver.deliveries().map(({ verification, duplicate }) => [verification, duplicate]),
  ).toEqual([
    ['valid', false],
    ['valid', true],
  ]);
});

test('is reached on every loopback address that this machine has', async () => {
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address }) => address)
    .filter((address) => address === '127.0.0.1' || address === '::1');
  expect(addresses).toContain('127.0.0.1');
  const body = event('evt_1');
  const request = { url: receiver.url, ca: authority.certificate, body };
  for (const address of addresses) {
    expect(await post({ ...request, signature: signed(secret, body), address })).toBe(204);
  }
});

test('refuses what is unsigned, wrongly signed, changed or too old', async () => {
  const body = event('evt_1');
  const old = Math.floor(Date.now() / 1_000) - 301;
  expect(await send(body)).toBe(401);
  expect(await send(body, signed('whsec_sandbox_other', body))).toBe(401);
  expect(await send(`${body} `, signed(secret, body))).toBe(401);
  expect(await send(body, signed(secret, body, old))).toBe(401);
  expect(receiver.deliveries().map(({ verification }) => verification)).toEqual([
    'unsigned',
    'mismatch',
    'mismatch',
    'expired',
  ]);
  // A refused delivery is no reason to take its repetition for a duplicate.
  expect(await send(body, signed(secret, body))).toBe(204);
  expect(receiver.deliveries().at(-1)?.duplicate).toBe(false);
});

test('refuses what is no event, too large or for another path', async () => {
  expect(await send('[]', signed(secret, '[]'))).toBe(400);
  const large = 'x'.repeat(70_000);
  expect(await send(large, signed(secret, large)).catch(() => 413)).toBe(413);
  const other = { url: receiver.url.replace('/webhooks', '/'), ca: authority.certificate };
  expect(await post({ ...other, body: '{}' })).toBe(404);
  expect(receiver.deliveries()).toHaveLength(0);
});

test('is not trusted by those who trust another authority', async () => {
  const other = await mkdtemp(join(tmpdir(), 'other-'));
  const { certificate } = await loadAuthority(other);
  await rm(other, { recursive: true });
  await expect(send('{}', undefined, certificate)).rejects.toThrow(/certificate|signature/);
});

test('waits until each type has come, and no longer than the signal', async () => {
  const first = event('evt_1', 'payout.acknowledged');
  const second = event('evt_2');
  const waiting = receiver.waitFor(['payout.acknowledged', 'payout.disbursed'], patience());
  await send(first, signed(secret, first));
  await send(second, signed(secret, second));
  await waiting;
  await expect(receiver.waitFor(['payout.settled'], AbortSignal.timeout(60))).rejects.toThrow();
});
