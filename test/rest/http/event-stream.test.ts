import { createServer, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { sendStream } from '../../../rest/http/event-stream.ts';
import type { Stream } from '../../../schema/stream.ts';

/** Pieces without an end, far larger together than what lies in buffers on the way. */
async function* endless(told: { pieces: number }, closed: () => boolean): Stream {
  while (!closed()) {
    told.pieces += 1;
    yield { id: String(told.pieces), result: { data: { text: 'x'.repeat(100_000) } } };
  }
  return { kind: 'interrupted', reason: 'over' };
}

test('a reader that takes nothing is cut off, and no more is made for it than lies on the way', async () => {
  const told = { pieces: 0 };
  const ended = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    const stream = endless(told, () => response.closed);
    void sendStream(response, stream, 200).then(ended.resolve, ended.reject);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
  answer.pause();
  answer.on('error', () => undefined);
  await ended.promise;
  expect(told.pieces).toBeLessThan(500);
  answer.destroy();
  await new Promise((resolve) => server.close(resolve));
});
