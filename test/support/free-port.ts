import { createServer, type AddressInfo } from 'node:net';

/** A port that nothing listens on at this moment, for a server that must know its address before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one while it listens
  await new Promise((resolve) => server.close(resolve));
  return port;
}
