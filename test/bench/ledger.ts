import { makeCursor } from '../../src/crypto/cursor.ts';
import { createKeyring } from '../../src/crypto/keyring.ts';
import { settings } from '../../src/process/config.ts';
import { makeTenant } from '../support/factory.ts';
import { sizes } from './config.ts';
import { median, startBenchStack, type BenchStack } from './stack.ts';

const pageSize = 25;
const { entries, deepPage, samples } = sizes(
  { entries: 1_000_000, deepPage: 20_000, samples: 40 },
  { entries: 500, deepPage: 10, samples: 3 },
);

const start = Date.parse('2026-01-01T00:00:00Z');
const secondOf = (n: number): string => new Date(start + n * 1_000).toISOString();

/** An entry a second, of the kinds of a payout's way one after the other, and the balance that they make. */
async function fill({ pool }: BenchStack, tenantId: string): Promise<void> {
  await pool.query(
    `SET session_replication_role = replica;
     INSERT INTO ledger_entry (tenant_id, id, kind, currency, amount_minor, debit_account, credit_account, payout_id,
       transition_seq, recorded_at)
     SELECT '${tenantId}', 'ent_' || lpad(n::text, 26, '0'), k.kind, 'USD', 700, k.debit, k.credit,
       'pay_' || lpad((n / 3)::text, 26, '0'), n % 3 + 1, timestamptz '${secondOf(0)}' + n * interval '1 second'
     FROM generate_series(1, ${entries}) AS n
     JOIN (VALUES (0, 'hold', 'in_transit', 'external'), (1, 'disburse', 'in_transit', 'external'),
       (2, 'settle', 'paid', 'in_transit')) AS k (place, kind, debit, credit) ON k.place = n % 3;
     INSERT INTO ledger_balance (tenant_id, currency, slot, held_minor, in_transit_minor, paid_minor, external_minor)
     SELECT e.tenant_id, e.currency, 0, sum(e.held), sum(e.in_transit), sum(e.paid), sum(e.external)
     FROM ops.ledger_effect e GROUP BY 1, 2;
     SET session_replication_role = origin;
     ANALYZE ledger_entry;`,
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** What a whole comparison of the books costs, kind by kind. */
async function compare({ pool }: BenchStack): Promise<string> {
  const costs: string[] = [];
  for (const kind of ['zero', 'entries', 'holds', 'payout']) {
    const ms = await timed(() =>
      pool.query('SELECT count(*) FROM ops.ledger_imbalances WHERE kind = $1', [kind]),
    );
    costs.push(`${kind} ${ms.toFixed(0)} ms`);
  }
  return costs.join(', ');
}

/** A page of 25 of a million entries: the first against the twenty-thousandth; and the comparison of the books. */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const { key, tenantId } = await makeTenant({ database: stack });
    await fill(stack, tenantId);
    const n = entries - deepPage * pageSize;
    const position = `${secondOf(n)} ent_${String(n).padStart(26, '0')}`;
    const keyring = createKeyring(settings.ENCRYPTION_KEYS.fallback);
    const place = { tenantId, list: 'ledger entries', filter: {} };
    const cursor = makeCursor(keyring, place, position);
    const page = async (query: string): Promise<number> =>
      timed(async () => {
        const answer = await fetch(
          `${stack.baseUrl}/v1/funding/entries?limit=${pageSize}${query}`,
          {
            headers: { authorization: `Bearer ${key}` },
          },
        );
        const { entries: rows } = (await answer.json()) as { entries: unknown[] };
        if (rows.length !== pageSize) throw new Error(`${rows.length} rows`);
      });
    const first: number[] = [];
    const deep: number[] = [];
    for (let sample = 0; sample < samples; sample += 1) {
      first.push(await page(''));
      deep.push(await page(`&cursor=${cursor}`));
    }
    console.log(`comparison of the books: ${await compare(stack)} (${entries} entries)`);
    console.log(
      `ledger: page 1 ${median(first).toFixed(1)} ms, page ${deepPage} ${median(deep).toFixed(1)} ms, ratio ${(median(deep) / median(first)).toFixed(2)} (${entries} entries)`,
    );
  } finally {
    await stack.close();
  }
}
