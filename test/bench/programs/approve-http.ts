import { Agent, request } from 'undici';
import { env } from '../config.ts';

/** Approves the payouts of IDS over HTTP from a number of connections; prints the rate. */
const connections = Number(env('CONNECTIONS'));
const ids = JSON.parse(env('IDS')) as string[];
const count = ids.length;
const dispatcher = new Agent({ connections, pipelining: 1 });

async function client(): Promise<void> {
  for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
    const answer = await request(`${env('BASE_URL')}/v1/payouts/${id}/approve`, {
      method: 'POST',
      dispatcher,
      headers: { authorization: `Bearer ${env('KEY')}` },
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
  }
}

const started = performance.now();
await Promise.all(Array.from({ length: connections }, client));
const rate = (count * 1_000) / (performance.now() - started);
await dispatcher.close();
process.stdout.write(JSON.stringify({ rate }));
