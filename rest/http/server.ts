import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../../src/values/ids.ts';
import { keepConnections, type Connections } from './connections.ts';
import { errorEnvelope, failureOf } from './envelope.ts';

/** Statuses for what Node's HTTP parser refuses. */
const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const messageByStatus: Readonly<Record<number, string>> = {
  400: 'This is not a well-formed HTTP request.',
  408: 'The request did not arrive in time.',
  431: 'The head of the request is too large.',
};

/** Long enough for ten megabytes from a phone, at half a megabit a second. */
export const uploadSeconds = 180;

/** The whole answer, for a connection on which there is no request that could be answered. */
function rawAnswer(status: number, publicUrl: string): string {
  const requestId = newId('request');
  const failure = failureOf('bad_request', messageByStatus[status]);
  const body = JSON.stringify(errorEnvelope(failure, { id: requestId, scope: null, publicUrl }));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}

/**
 * The HTTP server of the API. Time-outs keep a slow or silent caller from holding a connection: ten
 * seconds for the head, half a minute for a body (in `readBytes`), three minutes for a file. Requests
 * that are not HTTP get the error envelope too, and so does a missing Host, which the app answers. A process that
 * stops calls `drain`.
 */
export function createHttpServer(
  app: RequestListener,
  publicUrl: string,
): Server & Pick<Connections, 'drain'> {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: uploadSeconds * 1_000,
    keepAliveTimeout: 65_000,
    // How often the two time-outs above are checked.
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false,
  });
  const { answersOn, drain } = keepConnections(server);
  server.on('request', app);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Once an answer has begun, further bytes would become a part of it.
    const begun = [...answersOn(socket)].some(({ headersSent }) => headersSent);
    if (error.code === 'ECONNRESET' || !socket.writable || begun) {
      socket.destroy();
      return;
    }
    const status = statusByCode[error.code ?? ''] ?? 400;
    socket.end(rawAnswer(status, publicUrl), () => socket.destroySoon());
  });
  return Object.assign(server, { drain });
}
