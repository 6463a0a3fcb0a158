import type { PayoutBatchRow } from '../../../generated/prisma/client.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { preparePayout } from '../payout/create.ts';
import type { PreparedPayout } from '../payout/create-rows.ts';

/**
 * The payout of a row, as far as it is known without the database, or what refuses it. Its key follows from the batch and
 * the row, so the row is paid once even where a process dies before it knows that it did.
 */
export function prepareRow(call: Call, row: PayoutBatchRow): PreparedPayout | DomainError {
  try {
    const { payout } = preparePayout(call, {
      beneficiaryId: row.beneficiaryId,
      bankAccountId: row.bankAccountId,
      amountMinor: row.amountMinor ?? row.amountGiven,
      currency: row.currency,
      purposeOfPayment: row.purposeOfPayment,
      idempotencyKey: `${row.batchId}:${row.n}`,
      externalRef: row.externalRef,
      metadata: row.metadata,
    });
    return payout;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
