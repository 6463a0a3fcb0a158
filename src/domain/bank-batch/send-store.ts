import type { BankPayment } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';

const carriedByHand = named(
  'bank_batch_by_hand',
  ['tenant', 'batch'],
  `
    SELECT ops.bank_batch_by_hand(c.transport, b.downloaded_by) AS "byHand" FROM bank_batch b
    JOIN bank_connection c ON c.tenant_id = b.tenant_id AND c.id = b.connection_id
    WHERE b.tenant_id = @tenant AND b.id = @batch`,
);

/** Whether people bring a batch that exists to its bank. */
export async function isCarriedByHand(
  client: Queryable,
  { tenantId: tenant }: Scope,
  batch: string,
): Promise<boolean> {
  const values = carriedByHand.of({ tenant, batch });
  const row = await firstRow<{ byHand: boolean }>(client, carriedByHand, values);
  if (row === null) throw new Error(`the batch ${batch} is gone`);
  return row.byHand;
}

/**
 * What a worker may bring. `needs_operator` of a closed batch says that people bring it: a change of the connection
 * sets it, so that a worker who read the connection before comes too late.
 */
const forMachine = `b.status = 'closed' AND NOT b.needs_operator AND cardinality(b.downloaded_by) = 0`;

const countStaging = named(
  'count_bank_staging',
  ['tenant', 'batch'],
  `
    UPDATE bank_batch b SET stagings = b.stagings + 1, updated_at = command.clock()
    WHERE b.tenant_id = @tenant AND b.id = @batch AND ${forMachine}
    RETURNING b.stagings`,
);

/**
 * Counts a try to stage the file. The number is part of its temporary name. Null where it is on its way, or people
 * bring it.
 */
export async function beginStaging(
  client: Queryable,
  { tenantId: tenant }: Scope,
  batch: string,
): Promise<number | null> {
  const values = countStaging.of({ tenant, batch });
  return (await firstRow<{ stagings: number }>(client, countStaging, values))?.stagings ?? null;
}

const markSending = named(
  'mark_bank_batch_sending',
  ['tenant', 'batch', 'staging'],
  `
    UPDATE bank_batch b SET status = 'sending', sending_at = clock.at, updated_at = command.clock()
    FROM (SELECT now() AS at) AS clock
    WHERE b.tenant_id = @tenant AND b.id = @batch AND ${forMachine} AND b.stagings = @staging
    RETURNING b.id`,
);

/** Commits that the file is about to get its name. False where a later try has staged it too, or people bring it. */
export async function beginPublishing(
  client: Queryable,
  { tenantId: tenant }: Scope,
  batch: string,
  staging: number,
): Promise<boolean> {
  const values = markSending.of({ tenant, batch, staging });
  return (await firstRow(client, markSending, values)) !== null;
}

const markSent = named(
  'mark_bank_batch_sent',
  ['tenant', 'batch'],
  `
    UPDATE bank_batch b SET status = 'sent', sent_at = clock.at, problem = NULL, needs_operator = false,
      updated_at = command.clock()
    FROM (SELECT now() AS at) AS clock
    WHERE b.tenant_id = @tenant AND b.id = @batch AND b.status IN ('sending', 'unknown')
    RETURNING b.id`,
);

/** Records that the file certainly is at the bank. False where that is known. */
export async function recordSent(
  client: Queryable,
  { tenantId: tenant }: Scope,
  batch: string,
): Promise<boolean> {
  return (await firstRow(client, markSent, markSent.of({ tenant, batch }))) !== null;
}

const markUnknown = named(
  'mark_bank_batch_unknown',
  ['tenant', 'batch', 'problem'],
  `
    UPDATE bank_batch b SET status = 'unknown', needs_operator = true, problem = @problem, updated_at = command.clock()
    WHERE b.tenant_id = @tenant AND b.id = @batch AND b.status = 'sending'
    RETURNING b.id`,
);

/** Hands a file to an operator of which nobody knows whether the bank has it. */
export async function recordUnknown(
  client: Queryable,
  { tenantId: tenant }: Scope,
  batch: string,
  problem: string,
): Promise<boolean> {
  const values = markUnknown.of({ tenant, batch, problem });
  return (await firstRow(client, markUnknown, values)) !== null;
}

const noteProblem = named(
  'note_bank_batch_problem',
  ['tenant', 'batch', 'problem'],
  `
    UPDATE bank_batch b SET problem = @problem, updated_at = command.clock()
    WHERE b.tenant_id = @tenant AND b.id = @batch AND b.status IN ('closed', 'sending')
      AND b.problem IS DISTINCT FROM @problem
    RETURNING b.id`,
);

/** Notes why the latest try did not bring the file there. */
export async function noteSendProblem(
  client: Queryable,
  { tenantId: tenant }: Scope,
  batch: string,
  problem: string,
): Promise<void> {
  await firstRow(client, noteProblem, noteProblem.of({ tenant, batch, problem }));
}

const openPayments = named(
  'open_bank_payments',
  ['tenant', 'batch'],
  `
    SELECT m.attempt_id AS "attemptId" FROM bank_payment m
    JOIN disbursement_attempt a ON a.tenant_id = m.tenant_id AND a.id = m.attempt_id
    WHERE m.tenant_id = @tenant AND m.batch_id = @batch AND a.status IN ('prepared', 'unknown')
    ORDER BY m.position`,
);

/** The attempts of a batch of which it is not recorded that the bank has them. */
export async function findOpenPayments(
  client: Queryable,
  { tenantId: tenant }: Scope,
  batch: string,
): Promise<string[]> {
  type Row = Pick<BankPayment, 'attemptId'>;
  const found = await rows<Row>(client, openPayments, openPayments.of({ tenant, batch }));
  return found.map(({ attemptId }) => attemptId);
}

const markTaken = named(
  'mark_bank_batch_taken',
  ['tenant', 'batch'],
  `
    UPDATE bank_batch b SET taken_at = clock.at, updated_at = command.clock()
    FROM (SELECT now() AS at) AS clock
    WHERE b.tenant_id = @tenant AND b.id = @batch AND b.status IN ('sent', 'rejected') AND b.taken_at IS NULL
    RETURNING b.id`,
);

/** Records that every payment of a sent batch is recorded as the bank's. */
export async function recordTaken(
  client: Queryable,
  { tenantId: tenant }: Scope,
  batch: string,
): Promise<void> {
  await firstRow(client, markTaken, markTaken.of({ tenant, batch }));
}
