import { z } from 'zod';
import { requirePermission } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { asWeWriteIt } from '../bank-file/own-reference.ts';
import { batchColumns, type StoredBatch } from './store.ts';

const input = z.strictObject({ text: text(255), first: z.int().min(1).max(50) });

/** A name is unique for each connection, so each of them is asked for it. */
const withName = (column: 'message_id' | 'file_name') => `
      SELECT b.id FROM bank_connection c
      JOIN bank_batch b ON b.tenant_id = c.tenant_id AND b.connection_id = c.id AND b.${column} = @text
      WHERE c.tenant_id = @tenant`;

const statement = named(
  'search_bank_batches',
  ['tenant', 'text', 'id', 'take'],
  `
    WITH hits AS (
      SELECT b.id FROM bank_batch b WHERE b.tenant_id = @tenant AND b.id = @id
      UNION
      SELECT m.batch_id FROM bank_payment m WHERE m.tenant_id = @tenant AND m.payout_id = @id
      UNION${withName('message_id')}
      UNION${withName('file_name')}
    )
    SELECT ${batchColumns} FROM hits h JOIN bank_batch b ON b.tenant_id = @tenant AND b.id = h.id
    ORDER BY b.id DESC LIMIT @take`,
);

/**
 * Looks for files for banks, newest first, by an id of theirs or of a payout in them, also as a bank writes it, by the
 * id of the message or by the name of the file, each as a whole. Throws forbidden and validation_failed.
 */
export function searchBankBatches(
  { scope, services }: Call,
  given: { readonly text: string; readonly first: number },
): Promise<StoredBatch[]> {
  requirePermission(scope, 'read');
  const { text: wanted, first: take } = parseInput(input, given);
  const values = statement.of({
    tenant: scope.tenantId,
    text: wanted,
    id: asWeWriteIt(wanted),
    take,
  });
  return rows<StoredBatch>(services.pool, statement, values);
}
