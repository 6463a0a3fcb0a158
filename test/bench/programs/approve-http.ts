import { connectBare } from '../bare-client.ts';
import { env } from '../config.ts';

/** Approves the payouts of IDS over HTTP from a number of connections; prints the rate. */
const connections = Number(env('CONNECTIONS'));
const ids = JSON.parse(env('IDS')) as string[];
const count = ids.length;
const headers = { authorization: `Bearer ${env('KEY')}` };
const clients = await Promise.all(
  Array.from({ length: connections }, () => connectBare(env('BASE_URL'), headers)),
);

const started = performance.now();
await Promise.all(
  clients.map(async (client) => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const status = await client.post(`/v1/payouts/${id}/approve`);
      if (status !== 200) throw new Error(`answered ${status}`);
    }
  }),
);
const rate = (count * 1_000) / (performance.now() - started);
for (const client of clients) client.close();
process.stdout.write(JSON.stringify({ rate }));
