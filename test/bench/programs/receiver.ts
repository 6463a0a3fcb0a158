import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { createTestAuthority } from '../../support/tls.ts';
import { env } from '../config.ts';

/** The end of the headers of a request, which say how long its body is. */
const asked = /^POST (\S+)[^]*?\r\ncontent-length: (\d+)[^]*?\r\n\r\n/i;
const answer = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok';

/**
 * An HTTPS endpoint: `/fast` answers at once, `/hang` never. Writes its authority to CA_FILE. It reads no more of HTTP
 * than it needs, since what it takes of the machine is missing to what is measured.
 */
const authority = await createTestAuthority();
writeFileSync(env('CA_FILE'), authority.pem);
const server = createServer(await authority.issue(['localhost']), (socket) => {
  let arrived = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    arrived += part;
    const head = asked.exec(arrived);
    if (head === null || arrived.length < head[0].length + Number(head[2])) return;
    arrived = '';
    if (head[1] === '/fast') socket.write(answer);
  });
  socket.on('error', () => undefined); // the sender may go away
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
