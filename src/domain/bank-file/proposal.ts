import { Prisma, type BankAccountProposal } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, type Queryable } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import type { Correction } from '../../providers/bank/report.ts';
import type { BankDetails } from '../bank-account/bank-details.ts';
import { openDestination } from '../bank-account/details.ts';
import { findStoredBankAccount } from '../bank-account/store.ts';
import { isUnchanged, replaceBankAccountDetails } from '../bank-account/update.ts';
import { checkBankDetails } from '../bank-account/validate.ts';
import { isId } from '../../values/ids.ts';
import { openCorrection } from './correction.ts';

const proposalColumns = columns(Prisma.BankAccountProposalScalarFieldEnum, 'b');

const proposalById = named(
  'bank_account_proposal_by_id',
  ['tenant', 'proposal'],
  `
    SELECT ${proposalColumns} FROM bank_account_proposal b
    WHERE b.tenant_id = @tenant AND b.id = @proposal`,
);

const decideProposal = named(
  'decide_bank_account_proposal',
  ['tenant', 'proposal', 'status', 'actor'],
  `
    UPDATE bank_account_proposal b SET status = @status, decided_at = now(), decided_by = @actor::jsonb,
      correction_ciphertext = NULL
    WHERE b.tenant_id = @tenant AND b.id = @proposal AND b.status = 'open'
    RETURNING ${proposalColumns}`,
);

async function readProposal(
  { scope, services }: Call,
  proposal: string,
): Promise<BankAccountProposal> {
  const values = proposalById.of({ tenant: scope.tenantId, proposal });
  const found = isId('bankAccountProposal', proposal)
    ? await firstRow<BankAccountProposal>(services.pool, proposalById, values)
    : null;
  if (found === null)
    throw new DomainError('not_found', { message: 'The proposal does not exist.' });
  return found;
}

async function decided(
  client: Queryable,
  { scope }: Call,
  proposal: string,
  status: 'taken' | 'declined',
): Promise<BankAccountProposal> {
  const values = { tenant: scope.tenantId, proposal, status, actor: JSON.stringify(scope.actor) };
  const row = await firstRow<BankAccountProposal>(
    client,
    decideProposal,
    decideProposal.of(values),
  );
  if (row !== null) return row;
  throw new DomainError('conflict', { message: 'The proposal was decided before.' });
}

/** Kinds of accounts in transaction codes of the ACH: the twenties are checking, the thirties savings. */
function accountTypeOf(transactionCode: string | null): 'checking' | 'savings' | undefined {
  if (transactionCode?.startsWith('2') === true) return 'checking';
  return transactionCode?.startsWith('3') === true ? 'savings' : undefined;
}

/** Details of an account with what a bank corrects in them. */
function corrected(details: BankDetails, correction: Correction): BankDetails {
  const { accountNumber, routingNumber, transactionCode, name } = correction;
  const accountType = accountTypeOf(transactionCode);
  return {
    ...details,
    ...(accountNumber !== null && { accountNumber }),
    ...(routingNumber !== null && { routingCode: routingNumber }),
    ...(accountType !== undefined && { accountType }),
    ...(name !== null && { accountHolderName: name }),
  };
}

/**
 * Takes what a bank says of an account: the details become a new version of it, by the same rules as a change by
 * hand, so an approval of an open payout is asked for again. Taken or declined twice at once, it has one end. Throws
 * not_found; conflict where the proposal was decided before, or the account was changed since it was paid; and what
 * `replaceBankAccountDetails` throws, such as BANK_ACCOUNT_VALIDATION_FAILED for details that are wrong too.
 */
export async function takeProposal(call: Call, proposalId: string): Promise<BankAccountProposal> {
  requirePermission(call.scope, 'payees:write');
  const proposal = await readProposal(call, proposalId);
  const { bankAccountId, bankAccountVersion: version, beneficiaryId } = proposal;
  const sealed = proposal.correctionCiphertext;
  if (sealed === null) {
    throw new DomainError('conflict', { message: 'The proposal was decided before.' });
  }
  const paid = await openDestination(call, bankAccountId, version);
  const details = corrected(paid, openCorrection(call, proposal.id, sealed));
  const current = await findStoredBankAccount(call.services.pool, call.scope, bankAccountId);
  const known =
    current !== null &&
    (current.version === version ||
      isUnchanged(call, current, checkBankDetails(details).normalized));
  if (!known) {
    throw new DomainError('conflict', {
      message:
        'The account was changed since the payment that the bank corrects. Decline the proposal.',
    });
  }
  let taken: BankAccountProposal | null = null;
  await replaceBankAccountDetails(call, beneficiaryId, bankAccountId, details, {
    version: current.version,
    // In one transaction, so that nobody declines what changed the account.
    together: async (client) => {
      taken = await decided(client, call, proposal.id, 'taken');
    },
  });
  // An account that has these details already gets no new version.
  return taken ?? decided(call.services.pool, call, proposal.id, 'taken');
}

/** Declines what a bank says of an account, which stays as it is. Throws not_found, and conflict for one that was decided. */
export async function declineProposal(
  call: Call,
  proposalId: string,
): Promise<BankAccountProposal> {
  requirePermission(call.scope, 'payees:write');
  const { id } = await readProposal(call, proposalId);
  return decided(call.services.pool, call, id, 'declined');
}

/** Which details a proposal corrects, and how they end, as people may see them. Null once it was decided. */
export function shownCorrection(
  call: Call,
  { id, correctionCiphertext: sealed }: BankAccountProposal,
): Readonly<Record<keyof Correction, string | null>> | null {
  if (sealed === null) return null;
  const { accountNumber, ...rest } = openCorrection(call, id, sealed);
  const masked = accountNumber === null ? null : `••••${accountNumber.slice(-4)}`;
  return { ...rest, accountNumber: masked };
}
