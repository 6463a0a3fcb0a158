import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows, type Queryable } from '../../db/pool.ts';
import { legalNameSql } from '../beneficiary/identity.ts';
import { gateCase } from './gates.ts';

const createParameters = [
  'tenant',
  'rows',
  'keys',
  'beneficiaries',
  'bankAccounts',
  'predecessors',
  'actor',
  'sandbox',
  'dryRun',
  'business',
  'keyHours',
] as const;

/**
 * Creates payouts, one or a thousand, in one statement. It locks the beneficiaries and the bank
 * accounts against change (FOR SHARE), judges the gates on the locked rows, and claims the idempotency
 * keys for `@keyHours` by the database's clock. It inserts the payouts with their first transition
 * records and, where they are approved at once, their decisions. A row that is refused writes nothing,
 * and does not use up its key.
 *
 * Of callers with one key at once, the claim makes the others wait for the first. It then returns no
 * row for them, and they repeat the statement, which finds the existing record. Keys are claimed in
 * their order, so that two requests with the same keys cannot wait for each other.
 *
 * The ids stand in `@rows`, and once more in parameters of their own, so that each table is read by its
 * primary key.
 *
 * One payout has a statement of its own, in which these are single values; nothing else differs. For a
 * list, PostgreSQL estimates ten entries until it sees it. On large tables it then plans anew for each
 * list, and that takes twice as long as the execution.
 */
const createStatement = (name: string, isAsked: (parameter: string) => string) =>
  named(
    name,
    createParameters,
    `
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(@rows::jsonb) AS r (
        n integer, id text, idempotency_key text, request_hash text, beneficiary_id text,
        bank_account_id text, amount_minor bigint, amount text, currency text,
        purpose_of_payment text, external_ref text, validator_strategy text,
        replaces_payout_id text, metadata jsonb, echo_differs boolean, echo_revision integer,
        state text, decision jsonb
      )
    ),
    existing AS (
      SELECT idempotency_key, payout_id, request_hash FROM payout_idempotency
      WHERE tenant_id = @tenant AND idempotency_key ${isAsked('@keys')}
        AND created_at > now() - make_interval(hours => @keyHours)
    ),
    ben AS (
      SELECT id, archived_at, compliance_status, reacknowledgment_required, enrollment_status,
        beneficiary_type, revision, ${legalNameSql('b')} AS name
      FROM beneficiary b WHERE tenant_id = @tenant AND id ${isAsked('@beneficiaries')} FOR SHARE
    ),
    acc AS (
      SELECT id, beneficiary_id, status, validation_status, rail_rejection_reason, currency, version
      FROM bank_account WHERE tenant_id = @tenant AND id ${isAsked('@bankAccounts')} FOR SHARE
    ),
    pred AS (
      SELECT p.id, p.state, EXISTS (
        SELECT FROM payout r WHERE r.tenant_id = @tenant AND r.replaces_payout_id = p.id
      ) AS replaced, ops.is_contradicted(@tenant, p.id) AS contradicted
      FROM payout p WHERE p.tenant_id = @tenant AND p.id ${isAsked('@predecessors')}
    ),
    wallet AS (
      SELECT NOT @sandbox::boolean OR EXISTS (
        SELECT FROM funding_account WHERE tenant_id = @tenant AND available_balance_minor > 0
      ) AS funded
    ),
    demand AS (
      SELECT distinct_approver FROM business WHERE id = @business
    ),
    judged AS MATERIALIZED (
      SELECT input.*, ${gateCase()} AS refusal,
        coalesce(ben.revision <> input.echo_revision, false) AS stale,
        acc.rail_rejection_reason, ben.name, ben.beneficiary_type, acc.version,
        existing.payout_id AS existing_id, existing.request_hash AS existing_hash
      FROM input CROSS JOIN wallet CROSS JOIN demand
      LEFT JOIN ben ON ben.id = input.beneficiary_id
      LEFT JOIN acc ON acc.id = input.bank_account_id
      LEFT JOIN pred ON pred.id = input.replaces_payout_id
      LEFT JOIN existing ON existing.idempotency_key = input.idempotency_key
    ),
    claimed AS (
      INSERT INTO payout_idempotency (tenant_id, idempotency_key, payout_id, request_hash)
      SELECT @tenant, idempotency_key, id, decode(request_hash, 'hex') FROM judged
      WHERE refusal IS NULL AND NOT stale AND existing_id IS NULL AND NOT @dryRun::boolean
      ORDER BY idempotency_key
      ON CONFLICT (tenant_id, idempotency_key) DO UPDATE
        SET payout_id = excluded.payout_id, request_hash = excluded.request_hash, created_at = excluded.created_at
        WHERE payout_idempotency.created_at <= excluded.created_at - make_interval(hours => @keyHours)
      RETURNING payout_id
    ),
    created AS (
      INSERT INTO payout (
        tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id,
        bank_account_version, amount_minor, amount, currency, purpose_of_payment, external_ref,
        idempotency_key, validator_strategy, replaces_payout_id, metadata, state, transition_count,
        created_by, approved_at, distinct_approver
      )
      SELECT @tenant, j.id, j.beneficiary_id, j.name, j.beneficiary_type, j.bank_account_id,
        j.version, j.amount_minor, j.amount, j.currency,
        j.purpose_of_payment, j.external_ref, j.idempotency_key, j.validator_strategy,
        j.replaces_payout_id, j.metadata, j.state, 1,
        @actor::jsonb, CASE WHEN j.state = 'approved' THEN now() END, demand.distinct_approver
      FROM judged j JOIN claimed c ON c.payout_id = j.id CROSS JOIN demand
      RETURNING *
    ),
    record AS (
      INSERT INTO payout_transition (tenant_id, payout_id, seq, from_state, to_state, actor)
      SELECT tenant_id, id, 1, 'new', state, created_by FROM created
    ),
    decided AS (
      INSERT INTO payout_decision (
        tenant_id, id, payout_id, decision_id, request_hash, status, reasons, evaluated_by, evaluated_at,
        submitted_by
      )
      SELECT @tenant, j.decision ->> 'id', c.id, j.decision ->> 'decision_id',
        decode(j.decision ->> 'request_hash', 'hex'), 'approved', j.decision -> 'reasons',
        j.decision -> 'evaluated_by', now(), c.created_by
      FROM created c JOIN judged j ON j.id = c.id
      WHERE j.decision IS NOT NULL
    )
    SELECT j.n, j.refusal, j.stale, j.rail_rejection_reason AS "railRejectionReason",
      j.existing_id AS "existingId", j.existing_hash AS "existingHash",
      ${columns(Prisma.PayoutScalarFieldEnum, 'c')}
    FROM judged j LEFT JOIN created c ON c.id = j.id`,
  );

const createOne = createStatement('create_payout', (parameter) => `= ${parameter}`);
const createMany = createStatement('create_payouts', (parameter) => `= ANY (${parameter}::text[])`);

/** The decision that a payout is created with when nobody has to decide. */
export interface AutoDecision {
  readonly id: string;
  readonly decisionId: string;
  readonly requestHash: Buffer;
  readonly reasons: readonly object[];
  readonly evaluatedBy: object;
}

export interface NewPayout {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly requestHash: Buffer;
  readonly beneficiaryId: string;
  readonly bankAccountId: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  /** The same amount as a decimal string of major units. */
  readonly amount: string;
  readonly currency: string;
  readonly purposeOfPayment: string;
  readonly externalRef: string | null;
  readonly validatorStrategy: string;
  readonly replacesPayoutId: string | null;
  readonly metadata: Record<string, string> | null;
  /** Null for a payout that waits for a decision. */
  readonly decision: AutoDecision | null;
  readonly echoDiffers: boolean;
  /** Revision of the beneficiary that the echo was compared with; null without an echo. */
  readonly echoRevision: number | null;
}

export type CreateOutcome =
  | { readonly kind: 'created'; readonly payout: Payout }
  | { readonly kind: 'existing'; readonly payoutId: string; readonly sameContent: boolean }
  /** `gate` is the number of the first gate that refused. */
  | { readonly kind: 'refused'; readonly gate: number; readonly railRejectionReason: string | null }
  /** A dry run that no gate refused. */
  | { readonly kind: 'passed' }
  /** Another caller claimed the key first, or the beneficiary changed after the echo was compared: try again. */
  | { readonly kind: 'again' };

type CreateRow = Payout & {
  n: number;
  refusal: number | null;
  stale: boolean;
  railRejectionReason: string | null;
  existingId: string | null;
  existingHash: Buffer | null;
};

function wireRow(payout: NewPayout, n: number): object {
  const { decision } = payout;
  return {
    n,
    id: payout.id,
    idempotency_key: payout.idempotencyKey,
    request_hash: payout.requestHash.toString('hex'),
    beneficiary_id: payout.beneficiaryId,
    bank_account_id: payout.bankAccountId,
    amount_minor: Number(payout.amountMinor), // at most twelve digits
    amount: payout.amount,
    currency: payout.currency,
    purpose_of_payment: payout.purposeOfPayment,
    external_ref: payout.externalRef,
    validator_strategy: payout.validatorStrategy,
    replaces_payout_id: payout.replacesPayoutId,
    metadata: payout.metadata,
    echo_differs: payout.echoDiffers,
    echo_revision: payout.echoRevision,
    state: decision === null ? 'pending_approval' : 'approved',
    decision:
      decision === null
        ? null
        : {
            id: decision.id,
            decision_id: decision.decisionId,
            request_hash: decision.requestHash.toString('hex'),
            reasons: decision.reasons,
            evaluated_by: decision.evaluatedBy,
          },
  };
}

interface CreateMode {
  readonly dryRun: boolean;
  /** Hours after which an idempotency key is free again. */
  readonly keyHours: number;
}

/**
 * Runs the create statement for payouts of which no two have the same key or predecessor. The outcomes
 * have the order given. Throws a unique violation when another create replaced a predecessor first.
 */
export async function insertPayouts(
  client: Queryable,
  scope: Scope,
  payouts: readonly NewPayout[],
  { dryRun, keyHours }: CreateMode,
): Promise<CreateOutcome[]> {
  const statement = payouts.length === 1 ? createOne : createMany;
  const values = statement.of({
    tenant: scope.tenantId,
    rows: JSON.stringify(payouts.map(wireRow)),
    ...asked(payouts),
    actor: JSON.stringify(scope.actor),
    sandbox: scope.environment === 'sandbox',
    dryRun,
    business: scope.businessId,
    keyHours,
  });
  const found = await rows<CreateRow>(client, statement, values);
  const byNumber = new Map(found.map((row) => [row.n, row]));
  return payouts.map((payout, n) => {
    const row = byNumber.get(n);
    if (row === undefined) throw new Error('the create statement answers every row');
    return toOutcome(payout, row, dryRun);
  });
}

/** What the statement reads its tables by: single values for one payout, lists for more. */
function asked(payouts: readonly NewPayout[]) {
  const [first, ...more] = payouts;
  if (first !== undefined && more.length === 0) {
    return {
      keys: first.idempotencyKey,
      beneficiaries: first.beneficiaryId,
      bankAccounts: first.bankAccountId,
      predecessors: first.replacesPayoutId,
    };
  }
  return {
    keys: payouts.map((payout) => payout.idempotencyKey),
    beneficiaries: [...new Set(payouts.map((payout) => payout.beneficiaryId))],
    bankAccounts: [...new Set(payouts.map((payout) => payout.bankAccountId))],
    predecessors: payouts.flatMap((payout) => payout.replacesPayoutId ?? []),
  };
}

function toOutcome(payout: NewPayout, row: CreateRow, dryRun: boolean): CreateOutcome {
  const { n: _n, refusal, stale, railRejectionReason, existingId, existingHash, ...created } = row;
  if (existingId !== null && existingHash !== null) {
    const sameContent = payout.requestHash.equals(existingHash);
    return { kind: 'existing', payoutId: existingId, sameContent };
  }
  if (stale) return { kind: 'again' };
  if (refusal !== null) return { kind: 'refused', gate: refusal, railRejectionReason };
  if (dryRun) return { kind: 'passed' };
  // PostgreSQL returns null columns where no payout was created, whatever the row type says.
  return (created.id as string | null) === null
    ? { kind: 'again' }
    : { kind: 'created', payout: created };
}
