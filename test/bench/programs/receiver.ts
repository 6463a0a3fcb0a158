import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestAuthority } from '../../support/tls.ts';
import { env } from '../config.ts';

/** An HTTPS endpoint: `/fast` answers at once, `/hang` never. Writes its authority to CA_FILE. */
const authority = await createTestAuthority();
writeFileSync(env('CA_FILE'), authority.pem);
const server = createServer(await authority.issue(['localhost']), (request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url === '/fast') response.end('ok');
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
