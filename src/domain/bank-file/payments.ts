import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { rows, type Queryable } from '../../db/pool.ts';
import { idOfBankReference } from '../../providers/bank/text/reference.ts';
import { isId } from '../../values/ids.ts';

/** A payment that is in a file for the bank, as its answers are compared with it. */
export interface SentToBank {
  readonly attemptId: string;
  readonly payoutId: string;
  readonly batchId: string;
  readonly messageId: string;
  readonly endToEndId: string;
  readonly instructionId: string;
  readonly uetr: string | null;
  readonly traceNumber: string | null;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Since when the bytes of its file are fixed: before that the bank can have done nothing. */
  readonly closedAt: Date;
  /** `YYYY-MM-DD`. */
  readonly executionDate: string;
  readonly state: string;
  /** The line that shows its debit, and whether that is the line of a batch; null where none does. */
  readonly debitLine: string | null;
  /** The day on which that line was booked, `YYYY-MM-DD`. */
  readonly debitDay: string | null;
  readonly debitOfBatch: boolean;
  /**
   * How many lines tell of its debit: the one that is matched, those that name it, and those that debit its batch once more,
   * which only the contradictions of its payments name.
   */
  readonly debitsTold: number;
  readonly returnLine: string | null;
}

const selected = `
    SELECT bp.attempt_id AS "attemptId", bp.payout_id AS "payoutId", bp.batch_id AS "batchId",
      bb.message_id AS "messageId", bp.end_to_end_id AS "endToEndId", bp.instruction_id AS "instructionId",
      bp.uetr, bp.trace_number AS "traceNumber", a.amount_minor AS "amountMinor", a.currency,
      bb.closed_at AS "closedAt", bb.execution_date AS "executionDate", p.state, d.line_id AS "debitLine",
      d.booked_on AS "debitDay",
      coalesce(cardinality(l.batch_ids), 0) > 0 OR EXISTS (
        SELECT 1 FROM bank_match o
        WHERE o.tenant_id = @tenant AND o.line_id = d.line_id AND o.attempt_id <> d.attempt_id
      ) AS "debitOfBatch",
      (d.line_id IS NOT NULL)::integer + (
        SELECT count(*)::integer FROM (
          SELECT 'debit ' || n.id COLLATE "C" AS said FROM bank_line n
          WHERE n.tenant_id = @tenant AND n.named_attempt = bp.attempt_id AND n.direction = 'debit' AND NOT n.reversal
          UNION
          SELECT c.said COLLATE "C" FROM provider_contradiction c
          WHERE c.tenant_id = @tenant AND c.subject_id = bp.attempt_id AND c.kind = 'second_payment'
        ) more
      ) AS "debitsTold",
      t.line_id AS "returnLine"`;

const joined = `
    JOIN bank_batch bb ON bb.tenant_id = bp.tenant_id AND bb.id = bp.batch_id
    JOIN disbursement_attempt a ON a.tenant_id = bp.tenant_id AND a.id = bp.attempt_id
    JOIN payout p ON p.tenant_id = bp.tenant_id AND p.id = bp.payout_id
    LEFT JOIN bank_match d ON d.tenant_id = bp.tenant_id AND d.attempt_id = bp.attempt_id AND d.kind = 'debit'
    LEFT JOIN bank_line l ON l.tenant_id = d.tenant_id AND l.id = d.line_id
    LEFT JOIN bank_match t ON t.tenant_id = bp.tenant_id AND t.attempt_id = bp.attempt_id AND t.kind = 'return'`;

/**
 * Payments of a connection by their attempts, each by its own look into the indexes. For one condition on all of them
 * PostgreSQL reads every payment of a tenant that its statistics do not know, since it expects to find none.
 *
 * @param named SQL that gives the `attempt_id` of each
 */
const oneByOne = (named: string): string => `
    SELECT one.* FROM (${named}) named CROSS JOIN LATERAL (${selected}
      FROM bank_payment bp ${joined}
      WHERE bp.tenant_id = @tenant AND bp.attempt_id = named.attempt_id AND bp.connection_id = @connection OFFSET 0
    ) one ORDER BY one."attemptId"`;

/** The attempts of payments that have one of some values in a column. */
const attemptsBy = (column: string, values: string): string => `
      SELECT m.attempt_id FROM unnest(${values}::text[]) AS w (value) CROSS JOIN LATERAL (
        SELECT x.attempt_id FROM bank_payment x
        WHERE x.tenant_id = @tenant AND x.connection_id = @connection AND x.${column} = w.value OFFSET 0
      ) m`;

const byReferences = named(
  'bank_payments_by_references',
  ['tenant', 'connection', 'attempts', 'payouts', 'traces'],
  oneByOne(
    [
      attemptsBy('attempt_id', '@attempts'),
      attemptsBy('payout_id', '@payouts'),
      attemptsBy('trace_number', '@traces'),
    ].join(' UNION '),
  ),
);

const ofBatches = named(
  'bank_payments_of_messages',
  ['tenant', 'connection', 'messages'],
  oneByOne(`
      SELECT m.attempt_id FROM bank_batch b CROSS JOIN LATERAL (
        SELECT x.attempt_id FROM bank_payment x WHERE x.tenant_id = @tenant AND x.batch_id = b.id OFFSET 0
      ) m
      WHERE b.tenant_id = @tenant AND b.connection_id = @connection AND b.message_id = ANY (@messages::text[])`),
);

/** The references of a payment as a bank repeats them. */
export interface ReportedExecution {
  readonly endToEndId: string | null;
  readonly instructionId: string | null;
  readonly traceNumber: string | null;
}

const idIn = (
  reference: string | null,
  resource: 'payout' | 'disbursementAttempt',
): string | null => {
  const id = reference === null ? null : idOfBankReference(reference);
  return id !== null && isId(resource, id) ? id : null;
};

/** Finds the payments of a connection that banks name; made for many references at once. */
export class PaymentIndex {
  readonly #byAttempt = new Map<string, SentToBank>();
  readonly #byPayout = new Map<string, SentToBank[]>();
  readonly #byTrace = new Map<string, SentToBank>();

  constructor(payments: readonly SentToBank[]) {
    for (const payment of payments) {
      this.#byAttempt.set(payment.attemptId, payment);
      const others = this.#byPayout.get(payment.payoutId);
      if (others === undefined) this.#byPayout.set(payment.payoutId, [payment]);
      else others.push(payment);
      if (payment.traceNumber !== null) this.#byTrace.set(payment.traceNumber, payment);
    }
  }

  /**
   * The payments that the references name: one, none, or several where a payout was in more than one file and
   * only the payout is named, or where the references are those of two payments. The reference of the instruction
   * names the attempt, so it counts first.
   */
  find({ endToEndId, instructionId, traceNumber }: ReportedExecution): readonly SentToBank[] {
    const attempt = this.#byAttempt.get(idIn(instructionId, 'disbursementAttempt') ?? '');
    const traced = traceNumber === null ? undefined : this.#byTrace.get(traceNumber);
    const ofPayout = this.#byPayout.get(idIn(endToEndId, 'payout') ?? '') ?? [];
    const [first, second] = [attempt, traced].filter((payment) => payment !== undefined);
    if (first === undefined) return ofPayout;
    const others = ofPayout.includes(first) ? [] : ofPayout;
    return [...new Set([first, ...(second === undefined ? [] : [second]), ...others])];
  }

  get all(): readonly SentToBank[] {
    return [...this.#byAttempt.values()];
  }
}

const known = <T>(values: readonly (T | null)[]): T[] => [
  ...new Set(values.filter((value) => value !== null)),
];

/** The payments of a connection that some references name. */
export async function findNamedPayments(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
  told: readonly ReportedExecution[],
): Promise<PaymentIndex> {
  const attempts = known(told.map((one) => idIn(one.instructionId, 'disbursementAttempt')));
  const payouts = known(told.map((one) => idIn(one.endToEndId, 'payout')));
  const traces = known(told.map((one) => one.traceNumber));
  if (attempts.length + payouts.length + traces.length === 0) return new PaymentIndex([]);
  const values = byReferences.of({ tenant, connection, attempts, payouts, traces });
  return new PaymentIndex(
    await rows<SentToBank & Record<string, unknown>>(client, byReferences, values),
  );
}

/** All payments of the files that a connection sent under these message ids. */
export function findPaymentsOfMessages(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
  messages: readonly string[],
): Promise<SentToBank[]> {
  if (messages.length === 0) return Promise.resolve([]);
  const values = ofBatches.of({ tenant, connection, messages });
  return rows<SentToBank & Record<string, unknown>>(client, ofBatches, values);
}
