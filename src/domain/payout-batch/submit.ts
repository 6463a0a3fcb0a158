import type { PayoutBatch } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { raisedDetail } from '../../db/errors.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { checkPayoutBatch } from './check.ts';
import { submitPayoutBatch as submit } from './commands.gen.ts';
import { listBatchRows } from './list.ts';
import { noDraft, readPayoutBatch, requireBatchId } from './store.ts';

/** So many of the rows that are wrong are named in the refusal; the list of rows has all of them. */
const rowsNamed = 20;

/**
 * Checks a draft whole once more and submits it: a job then makes its payouts, which are decided on like any others.
 * Nothing is made while a row is wrong that is not left out. Throws as `checkPayoutBatch`; `conflict` for a draft whose
 * revision is not the one that the caller knows; `unprocessable_entity` where it has nothing to pay or a row is wrong.
 * @param revision of the draft that the caller has seen; null for any
 */
export async function submitPayoutBatch(
  call: Call,
  batchId: string,
  revision: number | null = null,
): Promise<PayoutBatch> {
  const { scope, services } = call;
  requirePermission(scope, 'payouts:write');
  requireBatchId(batchId);
  const known = await readPayoutBatch(call, batchId);
  if (known.state !== 'draft') throw noDraft(known);
  if (revision !== null && revision !== known.revision) throw changed(known);
  const checked = await checkPayoutBatch(call, batchId);
  try {
    const [submitted] = await submit(services.pool, scope.tenantId, {
      batch: batchId,
      revision: revision ?? checked.revision,
      actor: scope.actor,
    });
    if (submitted === undefined) {
      const now = await readPayoutBatch(call, batchId);
      throw now.state === 'draft' ? changed(now) : noDraft(now);
    }
    wakeAfter(services.pool);
    return submitted;
  } catch (error) {
    if (raisedDetail(error, 'PO004') === null) throw error;
    throw await refusal(call, batchId);
  }
}

const changed = ({ revision }: PayoutBatch): DomainError =>
  new DomainError('conflict', {
    message: `The batch was changed; its revision is ${revision}. Look at it again.`,
  });

async function refusal(call: Call, batchId: string): Promise<DomainError> {
  const range = { after: null, before: null, take: rowsNamed, backwards: false };
  const wrong = await listBatchRows(call, batchId, ['wrong', 'unchecked', 'failed'], range);
  if (wrong.length === 0) {
    return new DomainError('unprocessable_entity', { message: 'The batch has nothing to pay.' });
  }
  return new DomainError('unprocessable_entity', {
    message: 'Rows of the batch are wrong, so nothing was made. Correct them, or leave them out.',
    details: wrong.map(({ row, error }) => ({
      field: `rows[${row}]`,
      code: error?.code ?? 'conflict',
      message: error?.message ?? 'The row was not checked.',
    })),
  });
}
