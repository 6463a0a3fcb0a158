import { randomUUID } from 'node:crypto';
import { connectBare } from '../bare-client.ts';
import { env } from '../config.ts';

/** Posts payouts over HTTP from a number of connections for a time; prints the rate. */
const connections = Number(env('CONNECTIONS'));
const milliseconds = Number(env('MILLISECONDS'));
const body = JSON.parse(env('BODY')) as Record<string, unknown>;
const headers = { authorization: `Bearer ${env('KEY')}` };
const clients = await Promise.all(
  Array.from({ length: connections }, () => connectBare(env('BASE_URL'), headers)),
);

const started = performance.now();
const end = started + milliseconds;
let done = 0;

await Promise.all(
  clients.map(async (client) => {
    while (performance.now() < end) {
      const payout = JSON.stringify({ ...body, idempotency_key: randomUUID() });
      const status = await client.post('/v1/payouts', payout);
      if (status !== 201) throw new Error(`answered ${status}`);
      done += 1;
    }
  }),
);
const rate = (done * 1_000) / (performance.now() - started);
for (const client of clients) client.close();
process.stdout.write(JSON.stringify({ rate }));
