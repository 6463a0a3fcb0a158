import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { sendAtPace, TooSlow, type DownloadPace } from '../../../rest/files/pace.ts';

/** Far more than the buffers of both sides take. */
const pieces = 800;
const size = pieces * 65_536;
const patient: DownloadPace = { everyMs: 600_000, leastBytes: 65_536, totalMs: 600_000 };

/** What became of a file that `read` takes, at both ends. */
async function sent(pace: DownloadPace, read: (answer: IncomingMessage) => void, file = newFile()) {
  const outcome = Promise.withResolvers<unknown>();
  const server = createServer((_request, response: ServerResponse) => {
    sendAtPace(response, file, pace).then(() => outcome.resolve('sent'), outcome.resolve);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  read(answer);
  const told = await outcome.promise;
  answer.resume();
  // Not `once`, which rejects with the error that comes before it.
  if (!answer.closed) await new Promise((resolve) => answer.on('close', resolve));
  server.close();
  return { told, complete: answer.complete, closed: file.destroyed };
}

const piece = Buffer.alloc(65_536);
const newFile = () => Readable.from(Array.from({ length: pieces }, () => piece));
const nothing = () => undefined;

it('cuts a file whose reader takes less than the least, and lets go of its source', async () => {
  const { told, complete, closed } = await sent({ ...patient, everyMs: 50 }, nothing);
  expect(told).toBeInstanceOf(TooSlow);
  expect([complete, closed]).toEqual([false, true]);
});

it('cuts a file when its total time is over', async () => {
  const { told, closed } = await sent({ ...patient, totalMs: 50 }, nothing);
  expect(told).toBeInstanceOf(TooSlow);
  expect(closed).toBe(true);
});

it('waits for a file that is made slowly', async () => {
  async function* slowly() {
    yield piece;
    await new Promise((resolve) => setTimeout(resolve, 200));
    yield piece;
  }
  const pace = { ...patient, everyMs: 20, leastBytes: size };
  const { told } = await sent(pace, (answer) => void answer.resume(), Readable.from(slowly()));
  expect(told).toBe('sent');
});

it('lets go of a file whose answer has ended before it begins', async () => {
  const file = newFile();
  const outcome = Promise.withResolvers<unknown>();
  const server = createServer((_request, response) => {
    response.on('close', () => {
      sendAtPace(response, file, patient).then(() => outcome.resolve('sent'), outcome.resolve);
    });
    response.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = get({ port: (server.address() as AddressInfo).port, agent: false });
  asked.on('error', nothing);
  expect(await outcome.promise).toMatchObject({ code: 'ERR_STREAM_UNABLE_TO_PIPE' });
  expect(file.destroyed).toBe(true);
  server.close();
});
