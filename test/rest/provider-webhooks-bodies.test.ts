import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { bodiesOfUnproven } from '../../src/access/rate-limit/provider-events.ts';
import { sign } from '../../src/crypto/signature.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({
  worker: false,
  env: { TRUSTED_PROXIES: '1', PROVIDER_EVENT_FAILURE_LIMIT: '3', KEYLESS_RATE_LIMIT: '1000' },
});

const now = () => Math.floor(Date.now() / 1_000);
const wellFormed = (at = now()) => `t=${at},v1=${'0'.repeat(64)}`;

interface Head {
  readonly path?: string;
  readonly signature?: string;
  readonly from?: string;
  readonly length?: number;
  /** Bytes of the body that are sent at once. */
  readonly sent?: number;
}

/** Opens a request and sends its head, and no more than the beginning of its body. */
function begin({ path, signature, from = '192.0.2.1', length = 250_000, sent = 0 }: Head): Socket {
  const { hostname, port } = new URL(harness.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head = [
    `POST ${path ?? '/provider-webhooks/simulator'} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    `X-Forwarded-For: ${from}`,
    ...(signature === undefined ? [] : [`X-Service-Signature: ${signature}`]),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${' '.repeat(sent)}`);
  return socket;
}

const read = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

/** The answer to a head whose body never comes. */
async function answerTo(head: Head): Promise<string> {
  const socket = begin(head);
  const text = await read(socket);
  socket.destroy();
  return text;
}

function post(body: string, { from = '192.0.2.1', secret = '' }) {
  const key = secret === '' ? harness.services.config.SIMULATOR_WEBHOOK_SECRET : secret;
  const headers = {
    'X-Forwarded-For': from,
    'X-Service-Signature': sign(key, now(), Buffer.from(body)),
  };
  return harness.rest('POST', '/provider-webhooks/simulator', { body, headers });
}

/** Signed as it should be, and no event: 400 says that the body was read and its signature is right. */
const wellSigned = (from: string) => post('{}', { from });

it.each([
  ['no signature', undefined],
  ['a malformed one', `t=${1},v1=0`],
  ['an old one', wellFormed(now() - 400)],
  ['one of a time to come', wellFormed(now() + 400)],
])('refuses %s before the body is there', async (_what, signature) => {
  const answer = await answerTo({
    from: '192.0.2.2',
    ...(signature === undefined ? {} : { signature }),
  });
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).toContain('"unauthorized"');
});

it('refuses an unknown provider, and a body that is too large, before the body is there', async () => {
  const signature = wellFormed();
  const unknown = await answerTo({ path: '/provider-webhooks/nobody', signature });
  expect(unknown).toMatch(/^HTTP\/1\.1 404 /);
  const large = await answerTo({ signature, length: 300_000 });
  expect(large).toMatch(/^HTTP\/1\.1 413 /);
});

it('takes no body from an address whose signatures were wrong, and goes on with all others', async () => {
  const from = '192.0.2.3';
  for (let tries = 0; tries < 3; tries += 1) {
    expect((await post('{}', { from, secret: 'a-secret-of-somebody-else' })).status).toBe(401);
  }
  const refused = await answerTo({ from, signature: wellFormed() });
  expect(refused).toMatch(/^HTTP\/1\.1 429 /);
  expect(refused).toMatch(/Retry-After: \d+/);
  expect((await wellSigned(from)).status).toBe(429);
  expect((await wellSigned('192.0.2.4')).status).toBe(400);
});

it('counts a body that does not arrive as a wrong signature', async () => {
  const from = '192.0.2.5';
  for (let tries = 0; tries < 3; tries += 1) {
    const socket = begin({ from, signature: wellFormed(), length: 10 });
    socket.end('{}');
    await once(socket.resume(), 'close');
  }
  expect(await answerTo({ from, signature: wellFormed() })).toMatch(/^HTTP\/1\.1 429 /);
});

it('bounds the bodies under way by address, and of all addresses that showed no right signature yet', async () => {
  const proven = '192.0.2.10';
  expect((await wellSigned(proven)).status).toBe(400);
  const open: Socket[] = [];
  const hold = (from: string, count: number) => {
    for (let each = 0; each < count; each += 1) {
      open.push(begin({ from, signature: wellFormed(), sent: 60_000 }));
    }
  };
  const { ofAddress, ofAll, waiting, waitingOfAddress } = bodiesOfUnproven;
  hold('192.0.2.11', ofAddress);
  // Whoever is on their own is not held up.
  expect((await wellSigned('192.0.2.12')).status).toBe(400);
  let next = 20;
  for (let left = ofAll - ofAddress; left > 0; left -= ofAddress, next += 1) {
    hold(`192.0.2.${next}`, Math.min(left, ofAddress));
  }
  for (let group = 0; group < waiting / waitingOfAddress; group += 1) {
    hold(`198.51.100.${group}`, waitingOfAddress);
  }
  await expect
    .poll(() => answerTo({ from: '192.0.2.61', signature: wellFormed() }), { timeout: 10_000 })
    .toMatch(/^HTTP\/1\.1 429 /);
  expect((await wellSigned(proven)).status).toBe(400);
  for (const socket of open) socket.destroy();
  await expect.poll(async () => (await wellSigned('192.0.2.62')).status).toBe(400);
});

it('reads the body of a provider that is new here, while a dozen addresses send nothing', async () => {
  const open: Socket[] = [];
  const { ofAddress } = bodiesOfUnproven;
  for (let address = 0; address < 12; address += 1) {
    const from = `203.0.113.${address}`;
    for (let each = 0; each < ofAddress; each += 1) {
      open.push(begin({ from, signature: wellFormed() }));
    }
  }
  // All places are taken, and this address has none to wait in.
  const last = { from: '203.0.113.11', signature: wellFormed() };
  await expect.poll(() => answerTo(last)).toMatch(/^HTTP\/1\.1 429 /);
  expect((await wellSigned('192.0.2.70')).status).toBe(400);
  for (const socket of open) socket.destroy();
});

/** How many bytes of an endless body are taken until the connection ends, and what was answered. */
async function pour(head: Head): Promise<{ answer: string; taken: number }> {
  const socket = begin({ ...head, length: 1_000_000_000 });
  const chunk = Buffer.alloc(65_536, 0x20);
  const answered = read(socket);
  let taken = 0;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const go = (): void => {
    if (socket.destroyed) return;
    taken += chunk.length;
    if (socket.write(chunk)) setImmediate(go);
    else socket.once('drain', go);
  };
  const answer = await answered;
  go();
  await closed;
  return { answer, taken };
}

it.each([
  ['provider events', '/provider-webhooks/simulator', 401],
  ['the API without a key', '/v1/payouts', 401],
  ['registration', '/v1/registration', 413],
  ['GraphQL without a key', '/graphql', 413],
  ['an unknown path', '/nowhere', 404],
  ['a form without its link', `/collect/${'a'.repeat(43)}/send`, 404],
])('takes little of a body after the refusal: %s', async (_what, path, status) => {
  const { answer, taken } = await pour({ path, from: '192.0.2.7' });
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  // A client that has given its bytes to its kernel would otherwise use the connection again.
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  // What the two kernels keep on the way is a few megabytes.
  expect(taken).toBeLessThan(30_000_000);
});

it.each(['/v1/registration', '/graphql'])(
  'takes no large body from anybody without a key: %s',
  async (path) => {
    const answer = await answerTo({ path, from: '192.0.2.8', length: 100_000 });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  },
);

it('keeps the connection of a caller whose small body was refused', async () => {
  const socket = begin({ length: 2 });
  expect(await read(socket)).toMatch(/^HTTP\/1\.1 401 /);
  socket.write('{}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await read(socket)).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});
