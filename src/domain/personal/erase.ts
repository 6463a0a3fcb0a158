import type { PoolClient } from 'pg';
import { z } from 'zod';
import { requirePermission, type Actor, type Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction } from '../../db/pool.ts';
import { DomainError, notFound } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { enqueueMany } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { isId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';

/** Why a payee is erased. A closed list, since a reason in words could name the payee again. */
export const erasureGrounds = [
  'payee_request',
  'no_longer_needed',
  'entered_in_error',
  'legal_obligation',
] as const;
export type ErasureGround = (typeof erasureGrounds)[number];

/** `deleted`: no payout was ever created for the payee, and nothing is left. */
export type ErasureKind = 'deleted' | 'erased';

/** The record of an erasure. It holds no personal data. */
export interface Erasure {
  readonly beneficiaryId: string;
  readonly kind: ErasureKind;
  readonly ground: ErasureGround;
  readonly actor: Actor;
  readonly occurredAt: Date;
}

export const erasureInput = z.strictObject({ ground: z.enum(erasureGrounds) });

const erasePayee = named(
  'erase_payee',
  ['tenant', 'beneficiary', 'actor', 'ground'],
  `
    SELECT r.obstacles, r.kind, r.ground, r.actor, r.occurred_at AS "occurredAt", r.restarts
    FROM ops.erase_payee(@tenant, @beneficiary, @actor::jsonb, @ground) AS r`,
);

type ErasureRow = {
  readonly obstacles: readonly { readonly code: string; readonly count: number }[];
  /** Exports whose file has to be written again. */
  readonly restarts: readonly string[];
} & ({ readonly kind: null } | Omit<Erasure, 'beneficiaryId'>);

/**
 * Erases a payee in the transaction of `client`; the function in the database (`16-erasure.sql`) locks,
 * judges, erases and records. A repetition returns the record of the first erasure. Throws not_found,
 * BENEFICIARY_NOT_ERASABLE with what is in the way.
 */
export async function erase(
  client: PoolClient,
  scope: Scope,
  id: string,
  ground: ErasureGround,
): Promise<Erasure> {
  if (!isId('beneficiary', id)) throw notFound('beneficiary');
  const { tenantId, actor } = scope;
  const asked = { tenant: tenantId, beneficiary: id, actor: JSON.stringify(actor), ground };
  const answer = await firstRow<ErasureRow>(client, erasePayee, erasePayee.of(asked));
  if (answer === null) throw new Error('the function answers with one row');
  if (answer.obstacles.length > 0) throw notErasable(answer.obstacles);
  if (answer.kind === null) throw notFound('beneficiary');
  const payloads = answer.restarts.map((exportId) => ({ tenantId, exportId }));
  await enqueueMany(
    client,
    'write_export',
    payloads,
    payloads.map((payload) => ({ jobKey: jobKeyOf('write_export', payload) })),
  );
  const { obstacles: _obstacles, restarts: _restarts, ...record } = answer;
  return { beneficiaryId: id, ...record };
}

/** What is said of each obstacle by its code; payouts have one for each state. */
const sayings: Readonly<Record<string, string>> = {
  attempt_unresolved: 'payments whose outcome an operator has to resolve',
  enrollment_pending: 'enrollments that the payout provider has not answered',
  contradiction_unexamined: 'contradictions of the payout provider that an operator has to examine',
};

function notErasable(obstacles: ErasureRow['obstacles']): DomainError {
  const said = obstacles.map(
    ({ code, count }) =>
      `${sayings[code] ?? `payouts in the state ${code.replace('payout_', '')}`} (${count})`,
  );
  return new DomainError('BENEFICIARY_NOT_ERASABLE', {
    message: `The beneficiary cannot be erased yet. It has ${said.join(', ')}.`,
  });
}

/**
 * Erases a payee for good, by an owner's order. One for whom no payout was ever created is deleted. Of any
 * other one bookkeeping keeps amounts, dates, the legal name and the masked account, and everything else is
 * lost; it is archived and takes no change (docs/personal-data.md). A repetition returns the record of the
 * first time. Throws forbidden, validation_failed, not_found, BENEFICIARY_NOT_ERASABLE.
 */
export function eraseBeneficiary(
  { services, scope }: Call,
  id: string,
  given: z.input<typeof erasureInput>,
): Promise<Erasure> {
  requirePermission(scope, 'payees:erase');
  const { ground } = parseInput(erasureInput, given);
  return inTransaction(services.pool, (client) => erase(client, scope, id, ground));
}
