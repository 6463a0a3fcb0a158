import { randomUUID } from 'node:crypto';
import { rulesInput, sumsOf } from '../../src/domain/approval-policy/rules.ts';
import { sizes } from './config.ts';
import { seed } from './seed.ts';
import { last, median, startBenchStack } from './stack.ts';

const { rounds, payouts, connections, milliseconds } = sizes(
  { rounds: 5, payouts: 1_000, connections: 16, milliseconds: 4_000 },
  { rounds: 1, payouts: 5, connections: 2, milliseconds: 50 },
);

/** Twenty rules of a business: bands, purposes, countries, new payees; the last one asks for one approval of each payout. */
const rules = rulesInput.parse([
  ...Array.from({ length: 19 }, (_none, place) => ({
    name: `rule ${place + 1}`,
    when: {
      amount: [
        { currency: 'EUR', from: 100_000 * (place + 1) },
        { currency: 'USD', from: 1_000_000 * (place + 1) },
      ],
      ...(place % 3 === 0 && { purposes: ['contractor_payment', 'rent'] }),
      ...(place % 4 === 0 && { payeeCountries: ['US', 'DE'] }),
      ...(place % 5 === 0 && { payeeNewDays: 30 }),
    },
    effect: 'require',
    steps: [{ approvals: 2, groups: ['owner', 'admin'], distinctFrom: ['creator'] }],
  })),
  { name: 'one', when: {}, effect: 'require', steps: [{ approvals: 1, groups: ['owner'] }] },
]);

const modes = ['without', 'with'] as const;
type Mode = (typeof modes)[number];
const none = (): Record<Mode, number[]> => ({ without: [], with: [] });

/** Creates and approvals over HTTP with a policy of twenty rules, against the same without one: interleaved, medians of five. */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const { key, tenantId, businessId, body } = await seed(stack);
    const env = { KEY: key, TENANT: tenantId, CONNECTIONS: String(connections) };
    let version = 0;
    const hold = async (mode: Mode): Promise<void> => {
      version += 1;
      await stack.pool.query(
        `INSERT INTO approval_policy (tenant_id, version, rules, sums, proposed_by, proposed_at, confirmed_by)
         VALUES ($1, $2, $3, $4, 'usr_1', now(), 'usr_2')`,
        [
          tenantId,
          version,
          mode === 'with' ? JSON.stringify(rules) : null,
          JSON.stringify(mode === 'with' ? sumsOf(rules) : []),
        ],
      );
    };
    const create = async (): Promise<number> => {
      const more = {
        BUSINESS: businessId,
        BODY: JSON.stringify(body),
        MILLISECONDS: String(milliseconds),
      };
      return (await stack.program('create-http.ts', { ...env, ...more }))['rate'] ?? Number.NaN;
    };
    const approve = async (): Promise<number> => {
      const answer = await fetch(`${stack.baseUrl}/v1/payouts/bulk`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          payouts: Array.from({ length: payouts }, () => ({
            ...body,
            idempotency_key: randomUUID(),
          })),
        }),
      });
      const { results } = (await answer.json()) as { results: { payout: { id: string } }[] };
      const ids = JSON.stringify(results.map(({ payout }) => payout.id));
      return (await stack.program('approve-http.ts', { ...env, IDS: ids }))['rate'] ?? Number.NaN;
    };
    const [creates, approvals] = [none(), none()];
    for (const mode of modes) {
      await hold(mode);
      await create(); // warm-up
    }
    await stack.pool.query('ANALYZE');
    for (let round = 1; round <= rounds; round += 1) {
      for (const mode of modes) {
        await hold(mode);
        creates[mode].push(await create());
        approvals[mode].push(await approve());
      }
      console.log(
        `round ${round}: create ${last(creates.with)}/s with and ${last(creates.without)}/s without, approve ${last(approvals.with)}/s and ${last(approvals.without)}/s`,
      );
    }
    const kept = (rates: Record<Mode, number[]>): string =>
      (median(rates.with) / median(rates.without)).toFixed(2);
    console.log(
      `policy: with 20 rules create at ${kept(creates)} and approve at ${kept(approvals)} of the rate without (${connections} connections)`,
    );
  } finally {
    await stack.close();
  }
}
