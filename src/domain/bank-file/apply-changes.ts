import { named } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { newId } from '../../values/ids.ts';
import { openCorrection, sealCorrection } from './correction.ts';
import type { StoredBankFile } from './file-store.ts';
import { findNamedPayments } from './payments.ts';
import { findStaged } from './stage-store.ts';
import type { StagedChange, SealedChange } from './staged.ts';
import { strayChange } from './stray.ts';
import { keepStrays } from './stray-store.ts';

const together = 500;

/** The account and the version that the payment went to: what the bank corrects is that one. */
const insertProposal = named(
  'insert_bank_account_proposal',
  ['tenant', 'proposal', 'connection', 'file', 'trace', 'code', 'attempt', 'correction'],
  `
    INSERT INTO bank_account_proposal (
      tenant_id, id, connection_id, file_id, trace_number, code, attempt_id, payout_id, beneficiary_id,
      bank_account_id, bank_account_version, correction_ciphertext
    )
    SELECT @tenant, @proposal, @connection, @file, @trace, @code, a.id, a.payout_id, p.beneficiary_id,
      a.bank_account_id, a.bank_account_version, @correction
    FROM disbursement_attempt a
    JOIN payout p ON p.tenant_id = a.tenant_id AND p.id = a.payout_id
    WHERE a.tenant_id = @tenant AND a.id = @attempt
    ON CONFLICT (tenant_id, connection_id, trace_number, code, attempt_id) DO NOTHING
    RETURNING id`,
);

/** Whether a correction says something of the account. An identification of ours is none of its details. */
const correctsAccount = ({ correction }: StagedChange): boolean =>
  [
    correction.accountNumber,
    correction.routingNumber,
    correction.transactionCode,
    correction.name,
  ].some((value) => value !== null);

/**
 * Makes a proposal of each notification of change about a payment of the connection. The account stays as it is
 * until a person of the business takes it. One about a payment that is not known is left to an operator. Safe to
 * repeat.
 */
export async function applyChanges(call: Call, file: StoredBankFile): Promise<void> {
  const { scope, services } = call;
  const { pool } = services;
  for (let after = 0; ;) {
    const page = { kind: 'change', after, take: together } as const;
    const found = await findStaged<SealedChange>(pool, scope, file.id, page);
    const last = found.at(-1);
    if (last === undefined) return;
    const reports = found.map(({ report: { sealed, ...report } }) => ({
      ...report,
      correction: openCorrection(call, file.id, Buffer.from(sealed, 'base64')),
      endToEndId: null,
      instructionId: null,
    }));
    const payments = await findNamedPayments(pool, scope, file.connectionId, reports);
    const strays = reports.filter((report) => payments.find(report).length === 0);
    await keepStrays(pool, scope, file, strays.map(strayChange));
    for (const report of reports.filter(correctsAccount)) {
      const [payment] = payments.find(report);
      if (payment === undefined) continue;
      const proposal = newId('bankAccountProposal');
      const values = {
        tenant: scope.tenantId,
        proposal,
        connection: file.connectionId,
        file: file.id,
        trace: report.ownTraceNumber,
        code: report.code,
        attempt: payment.attemptId,
        correction: sealCorrection(call, proposal, report.correction),
      };
      await firstRow(pool, insertProposal, insertProposal.of(values));
    }
    crashPoint('bank_file_page');
    after = last.position;
  }
}
