import type { PoolClient } from 'pg';
import { Prisma, type Enrollment } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import type { EnrollmentStatus } from '../beneficiary/status.ts';
import { completeEnrollment, pointToEnrollment } from './commands.gen.ts';

/** A row of the table, whose CHECK constraint limits the status. */
export type EnrollmentRow = Omit<Enrollment, 'status'> & { readonly status: EnrollmentStatus };

/** One version of a bank account: what an enrollment is for. */
export interface AccountVersion {
  readonly bankAccountId: string;
  readonly version: number;
}

const enrollmentColumns = columns(Prisma.EnrollmentScalarFieldEnum, 'e');

const enrollmentById: Statement = {
  name: 'enrollment_by_id',
  text: `SELECT ${enrollmentColumns} FROM enrollment e WHERE e.tenant_id = $1 AND e.id = $2`,
};

/** One enrollment of the scope's tenant, or null. */
export function findEnrollment(
  client: Queryable,
  scope: Scope,
  enrollmentId: string,
): Promise<EnrollmentRow | null> {
  return firstRow<EnrollmentRow>(client, enrollmentById, [scope.tenantId, enrollmentId]);
}

const latestEnrollment: Statement = {
  name: 'latest_enrollment',
  text: `
    SELECT ${enrollmentColumns} FROM enrollment e
    WHERE e.tenant_id = $1 AND e.bank_account_id = $2 AND e.bank_account_version = $3 AND e.provider = $4
    ORDER BY e.requested_at DESC, e.id DESC LIMIT 1`,
};

/** The newest enrollment of one version of an account at a provider, or null when it was never enrolled there. */
export function findLatestEnrollment(
  client: Queryable,
  scope: Scope,
  { bankAccountId, version }: AccountVersion,
  provider: string,
): Promise<EnrollmentRow | null> {
  return firstRow<EnrollmentRow>(client, latestEnrollment, [
    scope.tenantId,
    bankAccountId,
    version,
    provider,
  ]);
}

/** One row without an enrollment where there is none, so that it is known of each tenant whether it has routes. */
const latestEnrollments: Statement = {
  name: 'latest_enrollments',
  text: `
    SELECT g.routes > 0 AS routed, l.*
    FROM (VALUES (1)) AS one
    LEFT JOIN payout_routing g ON g.tenant_id = $1
    LEFT JOIN (
      SELECT DISTINCT ON (e.bank_account_id, e.bank_account_version, e.provider)
        e.bank_account_id AS "bankAccountId", e.bank_account_version AS version, e.provider, e.status,
        e.recipient_id AS "recipientId"
      FROM enrollment e
      WHERE e.tenant_id = $1 AND e.bank_account_id = ANY ($2::text[])
      ORDER BY e.bank_account_id, e.bank_account_version, e.provider, e.requested_at DESC, e.id DESC
    ) l ON true`,
};

/** What is known of accounts before payouts to them are handed over. */
export interface KnownRecipients {
  /** Whether the tenant has routes; otherwise the deployment's provider pays everything. */
  readonly routed: boolean;
  /** A provider's id of a version of an account whose newest enrollment there is verified; null of others. */
  recipientOf(account: AccountVersion, provider: string): string | null;
}

/** The providers' ids of versions of accounts, and whether the tenant has routes: one statement. */
export async function verifiedRecipients(
  client: Queryable,
  scope: Scope,
  accounts: readonly AccountVersion[],
): Promise<KnownRecipients> {
  const ids = [...new Set(accounts.map(({ bankAccountId }) => bankAccountId))];
  type Row = AccountVersion &
    Pick<EnrollmentRow, 'status' | 'recipientId' | 'provider'> & {
      readonly routed: boolean | null;
    };
  const latest = await rows<Row>(client, latestEnrollments, [scope.tenantId, ids]);
  const keyOf = ({ bankAccountId, version }: AccountVersion, provider: string): string =>
    `${bankAccountId} ${version} ${provider}`;
  const verified = latest.filter(({ status }) => status === 'verified');
  const known = new Map(verified.map((row) => [keyOf(row, row.provider), row.recipientId]));
  return {
    routed: latest[0]?.routed === true,
    recipientOf: (account, provider) => known.get(keyOf(account, provider)) ?? null,
  };
}

const pendingEnrollment: Statement = {
  name: 'pending_enrollment',
  text: `
    SELECT ${enrollmentColumns} FROM enrollment e
    WHERE e.tenant_id = $1 AND e.beneficiary_id = $2 AND e.status = 'pending'`,
};

/** The enrollment of a beneficiary that is under way. A unique index permits one at most. */
export function findPendingEnrollment(
  client: Queryable,
  scope: Scope,
  beneficiaryId: string,
): Promise<EnrollmentRow | null> {
  return firstRow<EnrollmentRow>(client, pendingEnrollment, [scope.tenantId, beneficiaryId]);
}

const awaitOutcome: Statement = {
  name: 'beneficiary_awaits_enrollment',
  text: `
    UPDATE beneficiary SET enrollment_status = 'pending', revision = revision + 1, updated_at = command.clock()
    WHERE tenant_id = $1 AND id = $2
    RETURNING id`,
};

/**
 * A US account without a type is enrolled as `checking`, which is written into the version that is
 * enrolled. A new version would leave waiting payouts with a destination that is not current.
 */
const typeVersion: Statement = {
  name: 'type_enrolled_version',
  text: `
    UPDATE bank_account_version SET account_type = 'checking'
    WHERE tenant_id = $1 AND bank_account_id = $2 AND version = $3
      AND country = 'US' AND account_type IS NULL`,
};

const typeAccount: Statement = {
  name: 'type_enrolled_account',
  text: `
    UPDATE bank_account SET account_type = 'checking', updated_at = command.clock()
    WHERE tenant_id = $1 AND id = $2 AND version = $3 AND country = 'US' AND account_type IS NULL`,
};

/**
 * The lock of the beneficiary's row is held, so `clock_timestamp()` orders a beneficiary's enrollments
 * by the database's clock. Their ids come from clocks that may differ.
 */
const startEnrollment = named(
  'start_enrollment',
  ['tenant', 'enrollment', 'beneficiary', 'account', 'version', 'provider', 'payee'],
  `
    INSERT INTO enrollment AS e (
      tenant_id, id, beneficiary_id, bank_account_id, bank_account_version, provider, status, payee_ciphertext,
      requested_at
    )
    VALUES (
      @tenant, @enrollment, @beneficiary, @account, @version, @provider, 'pending', @payee, clock_timestamp()
    )
    RETURNING ${enrollmentColumns}`,
);

export interface NewEnrollment extends AccountVersion {
  /** Also the idempotency key of every call to the provider. */
  readonly id: string;
  readonly beneficiaryId: string;
  readonly provider: string;
  readonly payeeCiphertext: Buffer;
}

/**
 * Records that an enrollment is under way, before the provider is called. Violates
 * `enrollment_one_pending_key` if another one is.
 */
export async function insertEnrollment(
  client: PoolClient,
  scope: Scope,
  enrollment: NewEnrollment,
): Promise<EnrollmentRow> {
  const { tenantId: tenant } = scope;
  const { beneficiaryId: beneficiary, bankAccountId: account, version } = enrollment;
  const found = await firstRow(client, awaitOutcome, [tenant, beneficiary]);
  if (found === null) throw new Error(`no beneficiary ${beneficiary}`);
  await rows(client, typeVersion, [tenant, account, version]);
  await rows(client, typeAccount, [tenant, account, version]);
  const values = startEnrollment.of({
    tenant,
    enrollment: enrollment.id,
    beneficiary,
    account,
    version,
    provider: enrollment.provider,
    payee: enrollment.payeeCiphertext,
  });
  const row = await firstRow<EnrollmentRow>(client, startEnrollment, values);
  if (row === null) throw new Error('an insert returns its row');
  return row;
}

export type EnrollmentOutcome =
  | { readonly recipientId: string }
  | { readonly recipientId: null; readonly failureMessage: string };

/** Records the provider's answer. Null when the outcome was recorded before. */
export async function recordOutcome(
  client: Queryable,
  scope: Scope,
  enrollment: string,
  outcome: EnrollmentOutcome,
): Promise<EnrollmentRow | null> {
  const [done] = await completeEnrollment(client, scope.tenantId, {
    enrollment,
    recipient: outcome.recipientId,
    failure: outcome.recipientId === null ? outcome.failureMessage : null,
  });
  return (done as EnrollmentRow | undefined) ?? null;
}

const waitingPayouts: Statement = {
  name: 'payouts_waiting_for_enrollment',
  text: `
    SELECT p.id FROM payout p
    WHERE p.tenant_id = $1 AND p.beneficiary_id = $2 AND p.state = 'approved' AND p.live_attempt_id IS NULL
    ORDER BY p.id`,
};

/**
 * The approved payouts of a beneficiary that are not handed over: they wait for its enrollment, also those to
 * another account, since a beneficiary has one enrollment at a time.
 */
export async function findWaitingPayouts(
  client: Queryable,
  scope: Scope,
  beneficiaryId: string,
): Promise<readonly string[]> {
  const waiting = await rows<{ id: string }>(client, waitingPayouts, [
    scope.tenantId,
    beneficiaryId,
  ]);
  return waiting.map(({ id }) => id);
}

/** Makes a verified enrollment the one that the beneficiary's status shows. */
export async function makeCurrent(
  client: Queryable,
  scope: Scope,
  enrollment: string,
): Promise<void> {
  await pointToEnrollment(client, scope.tenantId, { enrollment });
}
