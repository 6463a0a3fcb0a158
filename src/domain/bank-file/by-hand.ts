import type { PoolClient } from 'pg';
import type { BankLine } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { bankProviderName } from '../../providers/bank-connection.ts';
import { bankReference } from '../../providers/bank/text/reference.ts';
import { isId } from '../../values/ids.ts';
import { noteMoney } from '../contradiction/contradiction-store.ts';
import { lockAttempts } from '../disbursement/store.ts';
import { carryOut } from './apply-lines.ts';
import { lockLine, writeExplanation, type ByHand } from './line-store.ts';
import { ofPayment, ofWholeBatch } from './match-line.ts';
import { findNamedPayments, findPaymentsOfMessages } from './payments.ts';

/** Why nothing can be done by hand about a line, an answer or a file, with what is said of it. */
export const handRefusals = {
  no_line: 'The line does not exist.',
  not_open: 'The line is matched or explained already, or the worker is still at it.',
  no_payment: 'No payment of this payout or batch is in a file of the connection of the line.',
  several_attempts: 'The payout is in more than one file.',
  no_day: 'The line has no booking day.',
  amount_differs:
    'The amount or currency of the line is not that of the payment. Explain the line instead.',
  batch_differs: 'The payments of the batch do not add up to the line. Explain the line instead.',
  second_debit: 'Another line shows this debit already.',
  second_return: 'Another line shows the return of this payment already.',
  reversed: 'The line takes back a return. Explain it instead.',
  nothing_left: 'Other lines show every payment of it already. Explain the line instead.',
  no_answer: 'The answer does not exist.',
  answer_not_open: 'The answer is explained already.',
  no_file: 'The file does not exist.',
  file_not_unreadable: 'The file is not one that waits at the desk because it cannot be read.',
} as const;
export type HandRefusal = keyof typeof handRefusals;

const ofPayout = (payoutId: string) => ({
  endToEndId: bankReference(payoutId),
  instructionId: null,
  traceNumber: null,
});

/**
 * Matches an unmatched line with a payment, or with a whole batch, that a person names; by the same rules as the
 * worker, apart from the references. The payout moves as if the line had named it. In the transaction of `client`;
 * null, or why not.
 *
 * @param subject a payout or a batch
 */
export async function matchByHand(
  client: PoolClient,
  scope: Scope,
  lineId: string,
  subject: string,
  byHand: ByHand,
): Promise<HandRefusal | null> {
  const line = isId('bankLine', lineId) ? await lockLine(client, scope, lineId) : null;
  if (line === null) return 'no_line';
  if (line.match !== 'unmatched') return 'not_open';
  const { connectionId } = line;
  const payments = isId('bankBatch', subject)
    ? await findPaymentsOfMessages(client, scope, connectionId, [bankReference(subject)])
    : (await findNamedPayments(client, scope, connectionId, [ofPayout(subject)])).all;
  const [payment, ...others] = payments;
  if (payment === undefined) return 'no_payment';
  const whole = isId('bankBatch', subject);
  if (!whole && others.length > 0) return 'several_attempts';
  const decision = whole ? ofWholeBatch(line, payments) : ofPayment(line, payment, true);
  if (decision.doubt !== null) return decision.doubt as HandRefusal;
  if (decision.matches.length === 0) return 'nothing_left';
  const decided = { line, decision: { ...decision, moved: [] } };
  await carryOut(client, scope, bankProviderName(connectionId), [decided], byHand);
  return null;
}

/**
 * Notes that money moved for the payments of a batch whose line was explained: a refusal that comes later contradicts it.
 * Other lines said so when they were decided about.
 */
async function noteExplainedBatch(
  client: PoolClient,
  scope: Scope,
  { id, doubt, direction, connectionId, batchIds }: BankLine,
): Promise<void> {
  if (doubt !== 'batch_differs') return;
  const payments = await findPaymentsOfMessages(client, scope, connectionId, batchIds);
  if (payments.length === 0) return;
  const attempts = payments.map(({ attemptId }) => attemptId);
  await lockAttempts(client, scope, attempts);
  const told = payments.map(({ attemptId, payoutId }) => ({
    attemptId,
    payoutId,
    said: `${direction} ${id}`,
    isEvent: false,
  }));
  await noteMoney(client, scope, bankProviderName(connectionId), told, { source: 'event' });
}

/** Notes what an unmatched line is, in the transaction of `client`. It moves no payout. Null, or why not. */
export async function explainByHand(
  client: PoolClient,
  scope: Scope,
  lineId: string,
  byHand: ByHand,
): Promise<HandRefusal | null> {
  const line = isId('bankLine', lineId) ? await lockLine(client, scope, lineId) : null;
  if (line === null) return 'no_line';
  if (line.match !== 'unmatched') return 'not_open';
  await noteExplainedBatch(client, scope, line);
  await writeExplanation(client, scope, lineId, byHand);
  return null;
}
