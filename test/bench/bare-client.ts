import { once } from 'node:events';
import { connect } from 'node:net';

/** A connection over which one request is sent after the other. */
export interface BareClient {
  /** Sends a POST with a JSON body, or without one; resolves with the status of the answer. */
  post(path: string, body?: string): Promise<number>;
  close(): void;
}

/** The end of the headers, where the answer says how long its body is. */
const answered = /^HTTP\/1\.1 (\d{3})[^]*?\r\ncontent-length: (\d+)[^]*?\r\n\r\n/i;

/**
 * HTTP/1.1 over a socket, for what generates load: a client with everything takes several times the CPU time, which
 * on the same machine is missing to what is measured. The answers must have a Content-Length.
 */
export async function connectBare(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<BareClient> {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding(
    'latin1',
  );
  await once(socket, 'connect');
  const fixed = Object.entries({ host, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  let waiting = Promise.withResolvers<number>();
  let arrived = '';
  socket.on('data', (part: string) => {
    arrived += part;
    const head = answered.exec(arrived);
    if (head === null || arrived.length < head[0].length + Number(head[2])) return;
    arrived = '';
    waiting.resolve(Number(head[1]));
  });
  socket.on('error', (error) => waiting.reject(error));
  socket.on('close', () => waiting.reject(new Error('the server ended the connection')));
  return {
    post(path, body = '') {
      waiting = Promise.withResolvers();
      const type = body === '' ? '' : 'content-type: application/json\r\n';
      const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(`POST ${path} HTTP/1.1\r\n${fixed}${type}${length}\r\n${body}`);
      return waiting.promise;
    },
    close() {
      socket.removeAllListeners('close').destroy();
    },
  };
}
