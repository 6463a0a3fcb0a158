import { randomUUID } from 'node:crypto';
import { sizes } from './config.ts';
import { seed } from './seed.ts';
import { startBenchStack } from './stack.ts';

const { payouts } = sizes({ payouts: 200 }, { payouts: 3 });

/** From an approval's commit to the record that the provider took the payout, by the database's clock. */
export async function run(): Promise<void> {
  const stack = await startBenchStack({ worker: true });
  try {
    const { key, body } = await seed(stack);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (let i = 0; i < payouts; i += 1) {
      const answer = await fetch(`${stack.baseUrl}/v1/payouts`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          ...body,
          idempotency_key: randomUUID(),
          validator_strategy: 'auto',
        }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    }
    for (let tries = 0; tries < 300; tries += 1) {
      const { rows } = await stack.pool.query<{ n: number; p50: number; p95: number }>(
        `SELECT count(*)::int AS n,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM a.submitted_at - p.approved_at) * 1000) AS p50,
           percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM a.submitted_at - p.approved_at) * 1000) AS p95
         FROM disbursement_attempt a
         JOIN payout p ON p.tenant_id = a.tenant_id AND p.id = a.payout_id
         WHERE a.submitted_at IS NOT NULL`,
      );
      const [row] = rows;
      if (row !== undefined && row.n === payouts) {
        console.log(
          `latency: approval to provider p50 ${row.p50.toFixed(0)} ms, p95 ${row.p95.toFixed(0)} ms (${payouts} payouts, one at a time)`,
        );
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('not every payout reached the provider');
  } finally {
    await stack.close();
  }
}
