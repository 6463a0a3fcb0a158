import { bookPayouts } from '../../../support/given-entries.ts';
import type { Harness } from '../../../support/harness.ts';
import type { Cast } from './payees.ts';
import type { Recorder } from './recorder.ts';

/** What a payout that has arrived left in the books. */
export async function recordBooks(
  record: Recorder,
  { database: { pool } }: Harness,
  { key, beneficiaryId }: Cast,
  payoutId: string,
): Promise<void> {
  const { rows } = await pool.query<{ tenant_id: string }>(
    'SELECT tenant_id FROM beneficiary WHERE id = $1',
    [beneficiaryId],
  );
  await bookPayouts(pool, rows[0]?.tenant_id ?? '');
  await record.success('payout', 'What a payout reserved and moved', {
    method: 'GET',
    path: `/v1/funding/entries?payout_id=${payoutId}`,
    key,
  });
  await record.success('books', 'What they say in each currency', {
    method: 'GET',
    path: '/v1/funding/books',
    key,
  });
}
