import type { Pool } from 'pg';
import { rows, type Statement } from '../db/pool.ts';

const workingKeys: Statement = {
  name: 'working_api_keys',
  text: `
    SELECT k.id FROM api_key k JOIN membership m ON m.id = k.membership_id
    WHERE k.id = ANY ($1::text[]) AND k.revoked_at IS NULL
      AND m.removed_at IS NULL AND m.accepted_at IS NOT NULL`,
};

/** Those of the keys that still work: neither is the key revoked nor its member removed. */
export async function workingOf(
  pool: Pool,
  keyIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await rows<{ id: string }>(pool, workingKeys, [keyIds]);
  return new Set(found.map(({ id }) => id));
}
