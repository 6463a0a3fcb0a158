import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFaults } from '../../simulator/faults.ts';
import { createPoster, type Poster } from '../../simulator/poster.ts';
import { verify } from '../../src/crypto/signature.ts';
import { eventually, listen, webhookSecret, type ListeningServer } from '../providers/support.ts';

interface Asked {
  readonly ids: readonly string[];
  readonly isSigned: boolean;
  /** Ends the request with a status. */
  answer(status: number): void;
}

const asked: Asked[] = [];
let receiver: ListeningServer;
let poster: Poster;

beforeEach(async () => {
  asked.length = 0;
  receiver = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const body = JSON.parse(raw.toString('utf8')) as { id: string; events?: { id: string }[] };
      const signature = String(request.headers['x-service-signature']);
      const now = Math.floor(Date.now() / 1000);
      asked.push({
        ids: (body.events ?? [body]).map(({ id }) => id),
        isSigned: verify(webhookSecret, signature, raw, now) === 'valid',
        answer: (status) => void response.writeHead(status).end(),
      });
    });
  });
  poster = createPoster({ url: receiver.url, secret: webhookSecret, faults: createFaults() });
});
afterEach(async () => {
  await poster.stop();
  await receiver.close();
});

const event = (n: number) => ({
  id: `sev_${n}`,
  type: 'payout.settled',
  occurred_at: '2026-11-21T10:00:00.000Z',
  data: {},
});
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);
const ids = (from: number, to: number): string[] => numbers(from, to).map((n) => event(n).id);

/** Sends four events, each by itself, which the receiver leaves without an answer. */
async function fourUnderWay(): Promise<Promise<boolean>[]> {
  const first: Promise<boolean>[] = [];
  for (const n of numbers(1, 4)) {
    first.push(poster.together(event(n)));
    await eventually(() => expect(asked).toHaveLength(n));
  }
  return first;
}

it('sends events alone while few are to be sent, and together while four requests are under way', async () => {
  const first = await fourUnderWay();
  expect(asked.map((request) => request.ids)).toEqual(numbers(1, 4).map((n) => ids(n, n)));
  const later = numbers(5, 64).map((n) => poster.together(event(n)));
  asked[0]?.answer(200);
  await eventually(() => expect(asked).toHaveLength(5));
  asked[1]?.answer(500);
  await eventually(() => expect(asked).toHaveLength(6));
  expect(asked.slice(4).map((request) => request.ids)).toEqual([ids(5, 54), ids(55, 64)]);
  expect(asked.every(({ isSigned }) => isSigned)).toBe(true);
  for (const [n, request] of asked.slice(2).entries()) request.answer(n === 3 ? 409 : 200);
  expect(await Promise.all(first)).toEqual([true, false, true, true]);
  expect(await Promise.all(later)).toEqual(numbers(5, 64).map((n) => n <= 54));
});

it('sends an event alone where that is asked for, whatever is under way', async () => {
  const waiting = await fourUnderWay();
  const isTold = async () => {
    await eventually(() => expect(asked.at(-1)?.ids).toEqual(ids(9, 9)));
    asked.at(-1)?.answer(204);
  };
  const [isTaken] = await Promise.all([poster.alone(event(9)), isTold()]);
  expect(isTaken).toBe(true);
  await poster.stop();
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => false));
});

it('tells whoever waits when it stops', async () => {
  const all = [...(await fourUnderWay()), poster.together(event(5))];
  await poster.stop();
  expect(await Promise.all(all)).toEqual(all.map(() => false));
});
