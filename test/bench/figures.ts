import { sizes } from './config.ts';
import { makeClient } from './seed.ts';
import { median, startBenchStack, type BenchStack } from './stack.ts';

const { payouts, deliveries, rounds } = sizes(
  { payouts: 1_000_000, deliveries: 200_000, rounds: 9 },
  { payouts: 500, deliveries: 100, rounds: 2 },
);

const from = '2026-01-01';
const to = '2026-03-31';

const page = `query ($from: String!, $to: String!) { figures(from: $from, to: $to) {
  payoutsByState { state count }
  payoutsByDay { day currency count amountMinor }
  failuresByCode { failureCode count }
  approvalQueue { fromMinutes count }
  deliveryHealth { pending delivered dead canceled failingSince }
} }`;

/** Payouts spread over the days, nine in ten settled, with some of every state, code and age. */
async function fill(stack: BenchStack, tenantId: string): Promise<void> {
  await stack.pool.query(
    `SET session_replication_role = replica;
     INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id,
       bank_account_version, amount_minor, amount, currency, purpose_of_payment, idempotency_key, validator_strategy, state,
       transition_count, provider, failure_code, created_by, created_at, updated_at)
     SELECT '${tenantId}', 'pay_' || lpad(n::text, 26, '0'), 'ben_1', 'Ada Lovelace', 'person', 'bac_1', 1, n, n::text,
       CASE WHEN n % 3 = 0 THEN 'EUR' ELSE 'USD' END, 'payroll', n::text, 'manual', s.state, 1,
       CASE WHEN s.state <> 'pending_approval' THEN 'simulator' END,
       CASE WHEN s.state = 'failed' THEN CASE WHEN n % 7 = 0 THEN 'account_closed' ELSE 'other' END END, '{}', t.at, t.at
     FROM generate_series(1, ${payouts}) AS n
     CROSS JOIN LATERAL (SELECT CASE n % 40 WHEN 1 THEN 'failed' WHEN 2 THEN 'pending_approval' WHEN 3 THEN 'disbursed'
       WHEN 4 THEN 'canceled' ELSE 'settled' END AS state) s
     CROSS JOIN LATERAL (SELECT timestamptz '${from}' + n * (interval '89 days' / ${payouts}) AS at) t;
     INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, status)
     SELECT '${tenantId}', 'wdl_01' || lpad(n::text, 24, '0'), 'evt_' || n, 'payout.settled', 'whs_1',
       CASE WHEN n % 100 = 1 THEN 'dead' ELSE 'delivered' END
     FROM generate_series(1, ${deliveries}) AS n;
     SET session_replication_role = origin`,
  );
  await stack.pool.query('VACUUM ANALYZE payout');
  await stack.pool.query('VACUUM ANALYZE webhook_delivery');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** A page of all figures of a million payouts, against the plainest count of the same rows. */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const { key, tenantId } = await makeClient(stack);
    await fill(stack, tenantId);
    const show = async (): Promise<void> => {
      const answer = await fetch(`${stack.baseUrl}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: page, variables: { from, to } }),
      });
      const { data } = (await answer.json()) as {
        data?: { figures: { payoutsByDay: { count: number }[] } };
      };
      const days = data?.figures.payoutsByDay ?? [];
      const shown = days.reduce((sum, { count }) => sum + count, 0);
      if (shown !== payouts) throw new Error(`${shown} payouts`);
    };
    const count = async (): Promise<void> => {
      await stack.pool.query('SELECT count(*) FROM payout WHERE tenant_id = $1', [tenantId]);
    };
    const counts: number[] = [];
    const pages: number[] = [];
    await show();
    await count();
    for (let round = 0; round < rounds; round += 1) {
      counts.push(await timed(count));
      pages.push(await timed(show));
    }
    console.log(
      `figures: page ${median(pages).toFixed(1)} ms, count(*) ${median(counts).toFixed(1)} ms, ratio ${(median(pages) / median(counts)).toFixed(2)} (${payouts} payouts, ${deliveries} deliveries)`,
    );
  } finally {
    await stack.close();
  }
}
