import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import type { IncomingMessage, RequestListener } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createGuardedAgent } from '../../src/net/guarded-agent.ts';
import { postSigned, type PostOptions, type PostOutcome } from '../../src/net/post.ts';
import { startHttpsServer, type TestHttpsServer } from '../support/https-server.ts';
import { createTestAuthority, type TestAuthority } from '../support/tls.ts';

let authority: TestAuthority;
let folder: string;
let agent: Agent;
let server: TestHttpsServer | undefined;

beforeAll(async () => {
  authority = await createTestAuthority();
  folder = mkdtempSync(join(tmpdir(), 'post-'));
  writeFileSync(join(folder, 'ca.pem'), authority.pem);
  agent = newAgent();
});

afterEach(async () => {
  await server?.close();
  server = undefined;
});

afterAll(async () => {
  await agent.destroy();
  rmSync(folder, { recursive: true });
});

function newAgent(lookup = async (): Promise<string[]> => ['127.0.0.1']): Agent {
  return createGuardedAgent({
    allowedHosts: ['receiver.test'],
    extraCaFile: () => join(folder, 'ca.pem'),
    connectTimeoutMs: 5_000,
    lookup,
  });
}

async function serve(listener: RequestListener, hosts = ['receiver.test']): Promise<string> {
  server = await startHttpsServer(await authority.issue(hosts), listener);
  return `https://receiver.test:${server.port}/hooks?a=1`;
}

function post(url: string, options: Partial<PostOptions> = {}): Promise<PostOutcome> {
  return postSigned({ agent, url, headers: {}, body: Buffer.from('{}'), ...options });
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const anyLatency = { latencyMs: expect.any(Number) };

describe('an answer', () => {
  it('follows a POST of the very bytes and headers', async () => {
    const body = randomBytes(3_000);
    const seen = Promise.withResolvers<{ request: IncomingMessage; body: Buffer }>();
    const url = await serve((request, response) => {
      void read(request).then((bytes) => {
        seen.resolve({ request, body: bytes });
        response.end('thanks');
      });
    });
    const headers = { 'content-type': 'application/json', 'x-test': 'a' };
    expect(await post(url, { headers, body })).toEqual({
      kind: 'answer',
      status: 200,
      excerpt: 'thanks',
      retryAfterMs: null,
      ...anyLatency,
    });
    const { request, body: received } = await seen.promise;
    expect(received.equals(body)).toBe(true);
    expect([request.method, request.url]).toEqual(['POST', '/hooks?a=1']);
    expect(request.headers).toMatchObject({ ...headers, 'content-length': '3000' });
    expect(request.headers).not.toHaveProperty('transfer-encoding');
  });

  it.each([200, 201, 204, 299, 301, 302, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    'of status %d is told as it is, and no redirect is followed',
    async (status) => {
      let requests = 0;
      const url = await serve((_request, response) => {
        requests += 1;
        response.writeHead(status, { location: '/elsewhere' }).end();
      });
      expect(await post(url)).toMatchObject({ kind: 'answer', status });
      expect(requests).toBe(1);
    },
  );

  it('may come after an interim one', async () => {
    const url = await serve((_request, response) => {
      response.writeProcessing();
      response.writeHead(204).end();
    });
    expect(await post(url)).toMatchObject({ kind: 'answer', status: 204 });
  });

  it.each([
    ['120', 120_000],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['soon', null],
  ])('with Retry-After: %s asks for %j ms', async (value, retryAfterMs) => {
    const url = await serve((_request, response) => {
      response.writeHead(429, { 'retry-after': value }).end('slow down');
    });
    const now = () => Date.parse('2026-11-21T12:00:00Z');
    expect(await post(url, { now })).toMatchObject({ status: 429, retryAfterMs });
  });

  it.each([
    ['whole when short', Buffer.from('grüße'), 'grüße'],
    ['cut at 1,024 bytes', Buffer.alloc(2_000, 'a'), 'a'.repeat(1_024)],
    ['not cut within a character', Buffer.from('a' + '😀'.repeat(300)), 'a' + '😀'.repeat(255)],
    ['readable where it is no UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['fit for PostgreSQL', Buffer.from('a\0b'), 'a\ufffdb'],
  ])('has an excerpt that is %s', async (_what, sent, excerpt) => {
    const url = await serve((_request, response) => response.end(sent));
    expect(await post(url)).toMatchObject({ kind: 'answer', excerpt });
  });

  it('without end is read to the cap, then cut off', async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.on('close', () => closed.resolve());
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) written += 16_384;
      };
      response.on('drain', more);
      more();
    });
    const outcome = await post(url, { answerCap: 65_536 });
    expect(outcome).toMatchObject({ kind: 'answer', status: 200, excerpt: 'x'.repeat(1_024) });
    await closed.promise;
    expect(written).toBeLessThan(16 * 1024 * 1024); // what the sockets' buffers took
  });

  it('of exactly the excerpt or the cap is whole', async () => {
    const url = await serve((_request, response) => response.end('0123456789'));
    for (const options of [{ excerpt: 10 }, { answerCap: 10 }, { answerCap: 11 }]) {
      expect(await post(url, options)).toMatchObject({ status: 200, excerpt: '0123456789' });
    }
  });
});

describe('an error', () => {
  it('is a timeout when nothing is answered', async () => {
    const url = await serve(() => {});
    expect(await post(url, { deadlineMs: 100 })).toEqual({
      kind: 'error',
      code: 'timeout',
      message: 'No complete answer within 100 ms.',
      ...anyLatency,
    });
  });

  it('is a timeout when the answer trickles', async () => {
    const url = await serve((_request, response) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    });
    expect(await post(url, { deadlineMs: 150 })).toMatchObject({ code: 'timeout' });
  });

  it('is a timeout when the name is not resolved, or the handshake hangs', async () => {
    const stuck = newAgent(() => new Promise(() => {}));
    const silent = createTcpServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const url = `https://receiver.test:${port}/`;
    for (const using of [stuck, agent]) {
      const outcome = await post(url, { agent: using, deadlineMs: 100 });
      expect(outcome).toMatchObject({ kind: 'error', code: 'timeout' });
    }
    await stuck.destroy();
    silent.close();
  });

  it('never sends what timed out while connecting', async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const resolved = Promise.withResolvers<string[]>();
    const slow = newAgent(() => resolved.promise);
    expect(await post(url, { agent: slow, deadlineMs: 50 })).toMatchObject({ code: 'timeout' });
    resolved.resolve(['127.0.0.1']);
    expect(await post(url, { agent: slow })).toMatchObject({ status: 200 });
    expect(requests).toBe(1);
    await slow.destroy();
  });

  it.each([
    ['at once', (_url: string) => AbortSignal.abort()],
    ['while it waits', (_url: string) => AbortSignal.timeout(50)],
  ])('is an abort when the signal ends it %s', async (_when, makeSignal) => {
    const url = await serve(() => {});
    const outcome = await post(url, { signal: makeSignal(url) });
    expect(outcome).toMatchObject({ kind: 'error', code: 'aborted' });
  });

  it.each<[string, RequestListener]>([
    ['is reset', () => server?.reset()],
    ['is closed', (request) => request.socket.end()],
    [
      'breaks within a body of known length',
      (request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => request.socket.destroy());
      },
    ],
    [
      'breaks within a chunked body',
      (request, response) => void response.write('half', () => request.socket.destroy()),
    ],
    ['breaks within the headers', (request) => request.socket.end('HTTP/1.1 200 OK\r\nX-A')],
  ])('is one of the connection when it %s', async (_what, listener) => {
    expect(await post(await serve(listener))).toMatchObject({ kind: 'error', code: 'connection' });
  });

  it('is one of the connection when nobody listens', async () => {
    const url = await serve(() => {});
    await server?.close();
    server = undefined;
    const outcome = await post(url);
    expect(outcome).toMatchObject({ kind: 'error', code: 'connection' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('ECONNREFUSED'));
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['too many headers', `HTTP/1.1 200 OK\r\n${`X-A: ${'a'.repeat(1_000)}\r\n`.repeat(40)}\r\n`],
  ])('is one of the protocol when the answer is %s', async (_what, bytes) => {
    const url = await serve((request) => request.socket.end(bytes));
    expect(await post(url)).toMatchObject({ kind: 'error', code: 'protocol' });
  });

  it('is one of TLS when the certificate is of another host', async () => {
    const url = await serve((_request, response) => response.end(), ['other.test']);
    expect(await post(url)).toMatchObject({ kind: 'error', code: 'tls' });
  });

  it('is one of TLS when the other side does not speak it', async () => {
    const plain = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const outcome = await post(`https://receiver.test:${port}/`);
    expect(outcome).toMatchObject({ kind: 'error', code: 'tls' });
    plain.close();
  });

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:7f00:1]/',
    'https://elsewhere.test/', // which the lookup leads to 127.0.0.1
    'http://receiver.test/',
    'ftp://receiver.test/',
    'no url',
  ])('is a refusal for %s', async (url) => {
    expect(await post(url)).toMatchObject({ kind: 'error', code: 'refused_target' });
  });

  it('is one of DNS when the name has no address', async () => {
    const lost = newAgent(async () => []);
    const outcome = await post('https://receiver.test/', { agent: lost });
    expect(outcome).toMatchObject({ code: 'dns', message: 'receiver.test has no address.' });
    await lost.destroy();
  });

  it('is one of the request when a header cannot be sent', async () => {
    const url = await serve((_request, response) => response.end());
    const outcome = await post(url, { headers: { 'x-test': 'a\r\nb: c' } });
    expect(outcome).toMatchObject({ kind: 'error', code: 'request' });
  });

  it('does not spoil the next delivery', async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else response.writeHead(204).end();
    });
    expect(await post(url)).toMatchObject({ kind: 'error' });
    expect(await post(url)).toMatchObject({ kind: 'answer', status: 204 });
  });
});
