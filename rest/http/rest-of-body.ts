import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bytes of a body that are still taken off the connection after its request was answered. */
const mostBytes = 64 * 1024;

/** Milliseconds for the caller to read the answer, and to end its body. */
const graceMs = 1_000;

/** Whether more of a body may be on its way than is taken after the answer. */
const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > mostBytes;

/**
 * Bounds what is taken of a body after the answer, which did not wait for it. A small rest is taken, and the connection
 * is kept. Before a larger one the answer says that the connection closes, and it does so a moment later, since a
 * caller that is still sending would not see the answer of one that ends at once (RFC 9112, section 9.6).
 * @param isBounded asked when the answer is sent: whoever is known here may finish, as the sender of a photograph that is
 *   too large does before the browser shows the answer
 */
export function boundRest(
  request: IncomingMessage,
  response: ServerResponse,
  isBounded: () => boolean,
): void {
  const { socket } = request;
  const isOpen = () => !request.complete && !request.destroyed && isBounded();
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  // Node calls it for every answer, also where nobody here does.
  response.writeHead = (...given: unknown[]) => {
    if (isOpen() && isLarge(request)) {
      response.setHeader('Connection', 'close');
      // Node closes the connection with this as soon as the answer is sent.
      socket.destroySoon = () => {
        socket.end();
        const over = setTimeout(() => socket.destroy(), graceMs);
        socket.once('close', () => clearTimeout(over));
      };
    }
    return writeHead(...given);
  };
  // Before Node's own listener, which takes the whole rest of a body that nobody has begun to read.
  response.prependOnceListener('finish', () => {
    if (isOpen()) takeLittle(request);
  });
}

function takeLittle(request: IncomingMessage): void {
  let left = mostBytes;
  const over = setTimeout(() => request.socket.destroy(), graceMs);
  request.once('close', () => clearTimeout(over));
  request.once('end', () => clearTimeout(over));
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  });
  request.read(0);
}
