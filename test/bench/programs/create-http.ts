import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { env } from '../config.ts';

/** Posts payouts over HTTP from a number of connections for a time; prints the rate. */
const connections = Number(env('CONNECTIONS'));
const milliseconds = Number(env('MILLISECONDS'));
const body = JSON.parse(env('BODY')) as Record<string, unknown>;
const dispatcher = new Agent({ connections, pipelining: 1 });
const headers = { authorization: `Bearer ${env('KEY')}`, 'content-type': 'application/json' };

const started = performance.now();
const end = started + milliseconds;
let done = 0;

async function client(): Promise<void> {
  while (performance.now() < end) {
    const answer = await request(`${env('BASE_URL')}/v1/payouts`, {
      method: 'POST',
      dispatcher,
      headers,
      body: JSON.stringify({ ...body, idempotency_key: randomUUID() }),
    });
    await answer.body.dump();
    if (answer.statusCode !== 201) throw new Error(`answered ${answer.statusCode}`);
    done += 1;
  }
}

await Promise.all(Array.from({ length: connections }, client));
const rate = (done * 1_000) / (performance.now() - started);
await dispatcher.close();
process.stdout.write(JSON.stringify({ rate }));
