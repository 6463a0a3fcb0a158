import type { PoolClient } from 'pg';
import { Prisma, type BankAccount } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { sealText } from '../encryption/personal.ts';
import { referenceTaken, type OwnChange, type OwnFields } from '../own-fields.ts';
import { keepBankAccountVersion } from './commands.gen.ts';
import { findSameAccount } from './same.ts';
import type { CheckedBankDetails } from './validate.ts';

const accountColumns = columns(Prisma.BankAccountScalarFieldEnum, 'a');

const accountById: Statement = {
  name: 'bank_account_by_id',
  text: `SELECT ${accountColumns} FROM bank_account a WHERE a.tenant_id = $1 AND a.id = $2`,
};

/** One account of the scope's tenant, of any beneficiary; null when unknown or malformed. */
export async function findBankAccount(
  client: Queryable,
  scope: Scope,
  id: string,
): Promise<BankAccount | null> {
  if (!isId('bankAccount', id)) return null;
  return firstRow<BankAccount>(client, accountById, [scope.tenantId, id]);
}

const accountWithIdentifiers: Statement = {
  name: 'bank_account_with_identifiers',
  text: `
    SELECT ${accountColumns}, v.identifiers_ciphertext AS identifiers
    FROM bank_account a
    JOIN bank_account_version v
      ON v.tenant_id = a.tenant_id AND v.bank_account_id = a.id AND v.version = a.version
    WHERE a.tenant_id = $1 AND a.id = $2`,
};

/** An account with the encrypted identifiers of the version that it has; null once its payee is erased. */
export interface StoredBankAccount extends BankAccount {
  readonly identifiers: Uint8Array | null;
}

/** As `findBankAccount`, for whoever compares the identifiers. */
export async function findStoredBankAccount(
  client: Queryable,
  scope: Scope,
  id: string,
): Promise<StoredBankAccount | null> {
  if (!isId('bankAccount', id)) return null;
  return firstRow<StoredBankAccount>(client, accountWithIdentifiers, [scope.tenantId, id]);
}

const accountsLocked: Statement = {
  name: 'bank_accounts_locked',
  text: `
    SELECT ${accountColumns} FROM bank_account a
    WHERE a.tenant_id = $1 AND a.beneficiary_id = $2
    ORDER BY a.id FOR SHARE`,
};

/** The value of `name_check` for an account whose bank has to be asked for the name: NULL where nobody is asked. */
const nameToBeChecked = (tenant: string): string =>
  `(SELECT 'pending' FROM name_check_policy s WHERE s.tenant_id = ${tenant} AND s.asks)`;

/** The accounts of a beneficiary, locked against change until the transaction ends. */
export function lockBankAccounts(
  client: Queryable,
  scope: Scope,
  beneficiaryId: string,
): Promise<BankAccount[]> {
  return rows<BankAccount>(client, accountsLocked, [scope.tenantId, beneficiaryId]);
}

/**
 * The owner is locked against change (FOR SHARE), so that it is still active and compliant at commit.
 * An acknowledgment at the same time either comes first and is seen here, or waits and then sees the
 * account. Accounts are counted without a lock: racers may make a few more than the
 * limit, which is there because the list of them has no pages.
 */
const ownerOfNew = named(
  'owner_of_new_bank_account',
  ['tenant', 'beneficiary', 'most'],
  `
    SELECT b.compliance_status AS "complianceStatus", (
      SELECT count(*) FROM (
        SELECT 1 FROM bank_account c WHERE c.tenant_id = @tenant AND c.beneficiary_id = @beneficiary LIMIT @most
      ) counted
    ) >= @most AS "isFull"
    FROM beneficiary b
    WHERE b.tenant_id = @tenant AND b.id = @beneficiary AND b.archived_at IS NULL
    FOR SHARE OF b`,
);

const registerAccount = named(
  'register_bank_account',
  [
    'tenant',
    'beneficiary',
    'account',
    'holder',
    'currency',
    'country',
    'bankName',
    'accountType',
    'last4',
    'validation',
    'status',
    'hash',
    'externalRef',
    'metadata',
  ],
  `
    INSERT INTO bank_account AS a (
      tenant_id, id, beneficiary_id, account_holder_name_ciphertext, currency, country, bank_name,
      account_type, last4, validation_status, status, details_hash, name_check, external_ref, metadata
    )
    VALUES (
      @tenant, @account, @beneficiary, @holder, @currency, @country, @bankName, @accountType, @last4,
      @validation, @status, @hash, ${nameToBeChecked('@tenant')}, @externalRef, @metadata
    )
    ON CONFLICT (tenant_id, beneficiary_id, details_hash) DO NOTHING
    RETURNING ${accountColumns}`,
);

function detailsOf({ normalized, last4, validationStatus }: CheckedBankDetails) {
  return {
    currency: normalized.currency,
    country: normalized.country,
    bankName: normalized.bankName ?? null,
    accountType: normalized.accountType ?? null,
    last4,
    validation: validationStatus,
  };
}

export interface NewBankAccount {
  readonly id: string;
  readonly beneficiaryId: string;
  readonly details: CheckedBankDetails;
  /** The identifiers, encrypted for version 1 of this account. */
  readonly identifiers: Buffer;
  /** The hash of the details (same.ts). */
  readonly hash: Buffer;
  readonly own: OwnFields;
}

export interface Registered {
  readonly account: BankAccount;
  /** The beneficiary had the account before; nothing was written. */
  readonly existed: boolean;
}

/**
 * Registers an account with its first version, or finds the one of the owner that has these details; null when
 * the owner is unknown or archived, or has as many accounts as BANK_ACCOUNTS_PER_BENEFICIARY allows
 * (`tooManyAccounts`).
 */
export async function insertBankAccount(
  client: PoolClient,
  call: Call,
  account: NewBankAccount,
): Promise<Registered | null> {
  const { scope, services } = call;
  const { tenantId: tenant } = scope;
  const { beneficiaryId: beneficiary, hash } = account;
  const most = services.config.BANK_ACCOUNTS_PER_BENEFICIARY;
  const owner = await firstRow<{ complianceStatus: string; isFull: boolean }>(
    client,
    ownerOfNew,
    ownerOfNew.of({ tenant, beneficiary, most }),
  );
  if (owner === null) return null;
  const sought = { ...account.details, beneficiaryId: beneficiary, hash, except: null };
  const before = await findSameAccount(client, call, sought);
  if (before !== null) return { account: before, existed: true };
  if (owner.isFull) return null;
  const status = owner.complianceStatus === 'compliant' ? 'verified' : 'pending_verification';
  const details = detailsOf(account.details);
  const values = registerAccount.of({
    tenant,
    beneficiary,
    account: account.id,
    holder: sealHolder(call, account),
    status,
    hash,
    ...details,
    ...account.own,
  });
  const created = await firstRow<BankAccount>(client, registerAccount, values);
  if (created !== null) {
    await keepVersion(client, call, account, 1);
    return { account: created, existed: false };
  }
  // Somebody else has registered it since this transaction looked.
  const since = await findSameAccount(client, call, sought);
  if (since === null) throw new DomainError('conflict');
  return { account: since, existed: true };
}

/** The account and each of its versions hold the name, each bound to its own row. */
function sealHolder(call: Call, { id, details }: Pick<NewBankAccount, 'id' | 'details'>): Buffer {
  const { accountHolderName } = details.normalized;
  return sealText(call, 'bankAccount', { id }, 'accountHolderName', accountHolderName);
}

async function keepVersion(
  client: PoolClient,
  call: Call,
  { id: account, details, identifiers }: Omit<NewBankAccount, 'hash' | 'own'>,
  version: number,
): Promise<void> {
  const { accountHolderName } = details.normalized;
  const key = { bankAccountId: account, version };
  const { last4: _last4, validation: _validation, ...kept } = detailsOf(details);
  const [told] = await keepBankAccountVersion(client, call.scope.tenantId, {
    ...kept,
    account,
    version,
    identifiers,
    actor: call.scope.actor,
    holder: sealText(call, 'bankAccountVersion', key, 'accountHolderName', accountHolderName),
  });
  if (told?.addsJob === true) wakeAfter(client);
}

/** The refusal of details that another account of the owner has. */
function hasSuchAnAccount(id: string): DomainError {
  return new DomainError('conflict', {
    message: `The beneficiary has these details as the bank account ${id}: use that one.`,
  });
}

/** The refusal of an account beyond the limit. */
export function tooManyAccounts({ services }: Call): DomainError {
  const most = services.config.BANK_ACCOUNTS_PER_BENEFICIARY;
  return new DomainError('unprocessable_entity', {
    message: `The beneficiary has ${most} bank accounts already; replace the details of one.`,
  });
}

/** What a business keeps beside the details makes no version of its own. */
const ownParameters = ['written', 'externalRef', 'metadata'] as const;
const ownAssignments = `
      external_ref = CASE WHEN 'external_ref' = ANY (@written::text[]) THEN @externalRef::text ELSE a.external_ref END,
      metadata = CASE WHEN 'metadata' = ANY (@written::text[]) THEN @metadata::jsonb ELSE a.metadata END`;

/**
 * A new version replaces the details; earlier versions stay for the payouts approved with them.
 * `status` is not touched. The rail's rejection concerned the old details, so it goes.
 */
const replaceDetails = named(
  'replace_bank_account_details',
  [
    'tenant',
    'beneficiary',
    'account',
    'holder',
    'currency',
    'country',
    'bankName',
    'accountType',
    'last4',
    'validation',
    'from',
    'hash',
    ...ownParameters,
  ],
  `
    WITH owner AS (
      SELECT id FROM beneficiary
      WHERE tenant_id = @tenant AND id = @beneficiary AND archived_at IS NULL FOR SHARE
    )
    UPDATE bank_account a SET
      version = a.version + 1, account_holder_name = NULL, account_holder_name_ciphertext = @holder, currency = @currency, country = @country,
      bank_name = @bankName, account_type = @accountType, last4 = @last4, validation_status = @validation,
      details_hash = coalesce(@hash, a.details_hash), rail_rejection_reason = NULL, updated_at = command.clock(),
      name_check = ${nameToBeChecked('@tenant')}, name_check_confirmed_at = NULL,
      ${ownAssignments}
    FROM owner o
    WHERE a.tenant_id = @tenant AND a.id = @account AND a.beneficiary_id = o.id AND a.version = @from
    RETURNING ${accountColumns}`,
);

/** Details of an account in place of those that it has. */
interface NextVersion extends Omit<NewBankAccount, 'hash' | 'own'> {
  /** Null where they are still of the same account: it keeps its hash. */
  readonly hash: Buffer | null;
  readonly own: OwnChange;
}

/**
 * Replaces the details of an account that still has the version `from`; `identifiers` is encrypted
 * for the next one. Null when somebody was faster or the owner was archived. Throws `conflict` where the owner
 * has another account with these details.
 */
export async function updateBankAccount(
  client: PoolClient,
  call: Call,
  account: NextVersion,
  from: number,
): Promise<BankAccount | null> {
  const values = replaceDetails.of({
    tenant: call.scope.tenantId,
    beneficiary: account.beneficiaryId,
    account: account.id,
    holder: sealHolder(call, account),
    ...detailsOf(account.details),
    from,
    hash: account.hash,
    ...account.own,
  });
  const { beneficiaryId, details, hash, id } = account;
  if (hash !== null) {
    const sought = { ...details, beneficiaryId, hash, except: id };
    const other = await findSameAccount(client, call, sought);
    if (other !== null) throw hasSuchAnAccount(other.id);
  }
  const changed = await firstRow<BankAccount>(client, replaceDetails, values);
  if (changed !== null) await keepVersion(client, call, account, changed.version);
  return changed;
}

/**
 * For details that are the version's own: a new version would refuse the approval of every payout
 * that waits for one. The checks ran again, though, and may judge otherwise than before, and the
 * rail's rejection goes, as with every replacement. Where neither changes anything, `updated_at` stays
 * too.
 */
const confirmDetails = named(
  'confirm_bank_account_details',
  ['tenant', 'beneficiary', 'account', 'from', 'validation', ...ownParameters],
  `
    WITH owner AS (
      SELECT id FROM beneficiary
      WHERE tenant_id = @tenant AND id = @beneficiary AND archived_at IS NULL FOR SHARE
    )
    UPDATE bank_account a SET
      validation_status = @validation, rail_rejection_reason = NULL,${ownAssignments},
      updated_at = CASE
        WHEN a.validation_status = @validation AND a.rail_rejection_reason IS NULL
          AND NOT ('external_ref' = ANY (@written::text[]) AND a.external_ref IS DISTINCT FROM @externalRef::text)
          AND NOT ('metadata' = ANY (@written::text[]) AND a.metadata IS DISTINCT FROM @metadata::jsonb)
        THEN a.updated_at ELSE command.clock() END
    FROM owner o
    WHERE a.tenant_id = @tenant AND a.id = @account AND a.beneficiary_id = o.id AND a.version = @from
    RETURNING ${accountColumns}`,
);

/**
 * Keeps the version `from` of an account, whose details were sent again as they are. Null as for
 * `updateBankAccount`.
 */
export async function confirmBankAccount(
  client: Queryable,
  scope: Scope,
  account: Pick<NewBankAccount, 'id' | 'beneficiaryId' | 'details'> & { readonly own: OwnChange },
  from: number,
): Promise<BankAccount | null> {
  const values = confirmDetails.of({
    tenant: scope.tenantId,
    beneficiary: account.beneficiaryId,
    account: account.id,
    from,
    validation: account.details.validationStatus,
    ...account.own,
  });
  try {
    return await firstRow<BankAccount>(client, confirmDetails, values);
  } catch (error) {
    throw referenceTaken(error, 'bank_account');
  }
}
