import { settings } from '../../src/process/config.ts';
import { makeCursor } from '../../src/crypto/cursor.ts';
import { createKeyring } from '../../src/crypto/keyring.ts';
import { sizes } from './config.ts';
import { seed } from './seed.ts';
import { median, startBenchStack, type BenchStack } from './stack.ts';

const pageSize = 25;
const { payouts, deepPage, samples } = sizes(
  { payouts: 1_000_000, deepPage: 20_000, samples: 40 },
  { payouts: 500, deepPage: 10, samples: 3 },
);

/** Ids as the database sorts them; the digits are of the id's alphabet. */
const idOf = (n: number): string => `pay_${String(n).padStart(26, '0')}`;

async function fill(stack: BenchStack, tenantId: string, body: Record<string, unknown>) {
  await stack.pool.query(
    `SET session_replication_role = replica;
     INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id,
       bank_account_version, amount_minor, amount, currency, purpose_of_payment, idempotency_key, validator_strategy, state,
       transition_count, created_by)
     SELECT '${tenantId}', 'pay_' || lpad(n::text, 26, '0'), '${String(body['beneficiary_id'])}', 'Ada Lovelace',
       'person', '${String(body['bank_account_id'])}', 1, n, n::text, 'USD', 'payroll', n::text, 'manual',
       'pending_approval', 1, '{}'
     FROM generate_series(1, ${payouts}) AS n;
     SET session_replication_role = origin;
     ANALYZE payout;`,
  );
}

/** A page of 25 of a million payouts: the first against the twenty-thousandth. */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const { key, tenantId, body } = await seed(stack);
    await fill(stack, tenantId, body);
    const keyring = createKeyring(settings.ENCRYPTION_KEYS.fallback);
    const position = idOf(payouts - deepPage * pageSize);
    const cursor = makeCursor(keyring, { tenantId, list: 'payouts', filter: {} }, position);
    const page = async (query: string): Promise<number> => {
      const started = performance.now();
      const answer = await fetch(`${stack.baseUrl}/v1/payouts?limit=${pageSize}${query}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { payouts: rows } = (await answer.json()) as { payouts: unknown[] };
      if (rows.length !== pageSize) throw new Error(`${rows.length} rows`);
      return performance.now() - started;
    };
    const first: number[] = [];
    const deep: number[] = [];
    for (let sample = 0; sample < samples; sample += 1) {
      first.push(await page(''));
      deep.push(await page(`&cursor=${cursor}`));
    }
    console.log(
      `list: page 1 ${median(first).toFixed(1)} ms, page ${deepPage} ${median(deep).toFixed(1)} ms, ratio ${(median(deep) / median(first)).toFixed(2)} (${payouts} payouts)`,
    );
  } finally {
    await stack.close();
  }
}
