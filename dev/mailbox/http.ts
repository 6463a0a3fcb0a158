import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listPage, mailPage, notFoundPage } from './pages.ts';
import type { MailStore } from './store.ts';
import { stylesheet } from './stylesheet.ts';

const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For the HTML part of a mail: no script, nothing loaded from elsewhere, no origin, this page's frame only. */
const mailPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

interface MailboxResponse {
  readonly status: number;
  readonly type: 'text/html' | 'text/css' | 'application/json';
  readonly body: string;
  readonly policy?: string;
}

const answer = (type: MailboxResponse['type'], body: string): MailboxResponse => ({
  status: 200,
  type,
  body,
});
const notFound = (): MailboxResponse => ({ status: 404, type: 'text/html', body: notFoundPage() });

function mailAnswer(store: MailStore, id: number, part: string | undefined): MailboxResponse {
  const mail = store.find(id);
  if (mail === undefined) return notFound();
  if (part === undefined) return answer('text/html', mailPage(mail));
  if (mail.html === null) return notFound();
  return { ...answer('text/html', mail.html), policy: mailPolicy };
}

function route(store: MailStore, path: string): MailboxResponse {
  if (path === '/') return answer('text/html', listPage(store.list()));
  if (path === '/style.css') return answer('text/css', stylesheet);
  if (path === '/healthz') return answer('application/json', '{"status":"ok"}');
  if (path === '/mails.json') {
    return answer('application/json', JSON.stringify({ mails: store.list() }));
  }
  const match = /^\/mails\/([1-9]\d{0,14})(\/html)?$/.exec(path);
  return match === null ? notFound() : mailAnswer(store, Number(match[1]), match[2]);
}

/**
 * The page answers to loopback names only. A foreign name that was made to resolve to 127.0.0.1
 * (DNS rebinding) would let any website read the mails, single-use links included.
 */
function isLoopbackName(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? '');
}

/**
 * `DELETE /mails?to=<address>` removes the mails to an address, as whoever erases a payee asks its own mail
 * provider to. A page of another origin cannot: the method needs its consent, and nothing here gives any.
 */
async function remove(store: MailStore, url: URL, response: ServerResponse): Promise<void> {
  const address = url.searchParams.get('to') ?? '';
  if (url.pathname !== '/mails' || address === '') {
    response.writeHead(404).end();
    return;
  }
  try {
    const removed = JSON.stringify({ removed: await store.remove(address) });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(removed);
  } catch {
    response.writeHead(500).end();
  }
}

function handle(store: MailStore, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  if (!isLoopbackName(request.headers.host)) {
    response.writeHead(421).end();
    return;
  }
  if (request.method === 'DELETE') {
    void remove(store, new URL(request.url ?? '/', 'http://mailbox'), response);
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD, DELETE' }).end();
    return;
  }
  const [path = '/'] = (request.url ?? '/').split('?');
  const { status, type, body, policy = pagePolicy } = route(store, path);
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
    'Content-Security-Policy': policy,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The mailbox's web page on 127.0.0.1. Rejects when the port is taken. */
export async function startMailboxPage(
  store: MailStore,
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => handle(store, request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
