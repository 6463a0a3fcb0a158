import type { Prisma } from '../../../generated/prisma/client.ts';
import { legalNameSql } from '../beneficiary/identity.ts';

/* What the functions that create payouts have in common (create-command.ts, create-one-command.ts). */

/** The columns of a payout as it is asked for. */
export const input = `n integer, id text, idempotency_key text, request_hash text, beneficiary_id text,
    bank_account_id text, amount_minor bigint, amount text, currency text,
    purpose_of_payment text, external_ref text, validator_strategy text,
    replaces_payout_id text, metadata jsonb, echo_differs boolean, echo_revision integer,
    routing integer, route_refusal text, routed_revision integer, routed_version integer,
    state text, decision jsonb`;

/**
 * The columns of a new payout that its caller does not know. Each column that a statement names is work for PostgreSQL
 * and the driver, and on Citus for the coordinator and the node.
 */
export const decided = [
  'beneficiaryName',
  'beneficiaryType',
  'bankAccountVersion',
  'distinctApprover',
  'metadata', // the keys as jsonb orders them
  'createdAt',
  'updatedAt',
] as const satisfies readonly Prisma.PayoutScalarFieldEnum[];

export const common = {
  actor: 'jsonb',
  sandbox: 'boolean',
  dryRun: 'boolean',
  business: 'text',
  keyHours: 'integer',
} as const;

export const beneficiary = `b.id, b.archived_at, b.compliance_status, b.reacknowledgment_required,
      b.enrollment_status, b.beneficiary_type, b.revision, ${legalNameSql('b')} AS name`;

export const account = `a.id, a.beneficiary_id, a.status, a.validation_status, a.rail_rejection_reason,
      a.currency, a.version`;

/** What pays a sandbox's payouts. */
export const funds =
  'FROM public.funding_account f WHERE f.tenant_id = _tenant AND f.available_balance_minor > 0';

export const predecessor = `p.id, p.state, EXISTS (
      SELECT 1 FROM public.payout s WHERE s.tenant_id = _tenant AND s.replaces_payout_id = p.id
    ) AS replaced`;

/** The columns of a new payout, each with its value by where it comes from. */
export function newPayout(from: {
  readonly input: string;
  readonly ben: string;
  readonly acc: string;
  readonly distinctApprover: string;
}) {
  const i = from.input;
  return {
    tenant_id: '_tenant',
    id: `${i}.id`,
    beneficiary_id: `${i}.beneficiary_id`,
    beneficiary_name: `${from.ben}.name`,
    beneficiary_type: `${from.ben}.beneficiary_type`,
    bank_account_id: `${i}.bank_account_id`,
    bank_account_version: `${from.acc}.version`,
    amount_minor: `${i}.amount_minor`,
    amount: `${i}.amount`,
    currency: `${i}.currency`,
    purpose_of_payment: `${i}.purpose_of_payment`,
    external_ref: `${i}.external_ref`,
    idempotency_key: `${i}.idempotency_key`,
    validator_strategy: `${i}.validator_strategy`,
    replaces_payout_id: `${i}.replaces_payout_id`,
    metadata: `${i}.metadata`,
    state: `${i}.state`,
    transition_count: '1',
    created_by: '_actor',
    approved_at: `CASE ${i}.state WHEN 'approved' THEN at END`,
    distinct_approver: from.distinctApprover,
  };
}

export const claimInsert =
  'INSERT INTO public.payout_idempotency AS i (tenant_id, idempotency_key, payout_id, request_hash, created_at)';

export const clock = `at timestamptz := now();
  kept_since timestamptz(3) := at - make_interval(hours => _key_hours);`;
