import type { PoolClient } from 'pg';
import { operatorId, type Scope } from '../../access/scope.ts';
import { violatesUnique } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { explainByHand, handRefusals, type HandRefusal } from '../bank-file/by-hand.ts';
import { dismissFile } from '../bank-file/file-store.ts';
import { readFileAgain } from '../bank-file/read-again.ts';
import { explainStrayByHand } from '../bank-file/stray-store.ts';
import { recordAction, requireTenant, type OperatorCommand } from './action.ts';
import {
  bankAnswerExplanation,
  bankFileExplanation,
  bankFileOrder,
  bankLineExplanation,
  type BankAnswerExplanation,
  type BankFileExplanation,
  type BankFileOrder,
  type BankLineExplanation,
} from './input.ts';
import { noteOutcome, recordOrder } from './payout-order.ts';

/** What an operator did to a line of a bank. */
export interface HandledLine {
  readonly lineId: string;
  /** Line of ops.action_log. */
  readonly actionId: string;
}

/** What an operator did to an answer of a bank that names nothing of its connection. */
export interface HandledAnswer {
  readonly answerId: string;
  /** Line of ops.action_log. */
  readonly actionId: string;
}

export interface DeskCommand {
  readonly command: OperatorCommand;
  readonly action:
    | 'match_bank_line'
    | 'explain_bank_line'
    | 'explain_bank_answer'
    | 'dismiss_bank_file';
  readonly input: Pick<BankLineExplanation, 'businessId' | 'environment' | 'reason'>;
  /** The line, the answer or the file. */
  readonly subjectId: string;
  readonly detail: Readonly<Record<string, string>>;
  readonly work: (
    client: PoolClient,
    scope: Scope,
    actionId: string,
  ) => Promise<HandRefusal | null>;
}

/** Another transaction matched the payment at the same moment; the next try finds that. */
export const matchedMeanwhile = (error: unknown): boolean =>
  violatesUnique(error, 'bank_match_pkey');

/**
 * Does something about a line or an answer and records it, in one transaction; the line of ops.action_log. Throws
 * not_found, and conflict with the reason.
 */
export function handleAtDesk(call: OperatorCall, given: DeskCommand): Promise<string> {
  const { businessId, environment, reason } = given.input;
  const { command, action, subjectId, detail } = given;
  const work = () =>
    inTransaction(call.services.pool, async (client) => {
      const scope = await requireTenant(client, call.operator, businessId, environment);
      const who = operatorId(call.operator.operator);
      const { tenantId } = scope;
      const what = { action, who, tenantId, payoutId: subjectId, reason, detail };
      const actionId = await recordOrder(client, what);
      const refusal = await given.work(client, scope, actionId);
      if (refusal === 'no_line' || refusal === 'no_answer' || refusal === 'no_file')
        throw new DomainError('not_found', { message: handRefusals[refusal] });
      if (refusal !== null) throw new DomainError('conflict', { message: handRefusals[refusal] });
      await noteOutcome(client, { tenantId, actionId }, 'done');
      await recordAction(client, call.operator, {
        action: command,
        businessId,
        environment,
        subjectId,
        reason,
        detail: { ...detail, action_id: actionId },
        actionId,
      });
      return actionId;
    });
  return retryOnError(matchedMeanwhile, work);
}

/**
 * Notes what a line is that matched nothing. It moves nothing, and the line leaves the desk. Throws
 * validation_failed, not_found for the business and the line, conflict where the line is not open.
 */
export async function operatorExplainBankLine(
  call: OperatorCall,
  given: BankLineExplanation,
): Promise<HandledLine> {
  const { explanation, lineId, ...input } = parseInput(bankLineExplanation, given);
  const actionId = await handleAtDesk(call, {
    command: 'operatorBankLineExplain',
    action: 'explain_bank_line',
    input,
    subjectId: lineId,
    detail: { explanation },
    work: (client, scope, orderId) =>
      explainByHand(client, scope, lineId, { explanation, actionId: orderId }),
  });
  return { lineId, actionId };
}

/**
 * Notes what an answer is that names nothing of its connection. It moves nothing, and the answer leaves the desk.
 * Throws validation_failed, not_found for the business and the answer, conflict where it is explained already.
 */
export async function operatorExplainBankAnswer(
  call: OperatorCall,
  given: BankAnswerExplanation,
): Promise<HandledAnswer> {
  const { explanation, answerId, ...input } = parseInput(bankAnswerExplanation, given);
  const actionId = await handleAtDesk(call, {
    command: 'operatorBankAnswerExplain',
    action: 'explain_bank_answer',
    input,
    subjectId: answerId,
    detail: { explanation },
    work: (client, scope, orderId) =>
      explainStrayByHand(client, scope, answerId, { explanation, actionId: orderId }),
  });
  return { answerId, actionId };
}

/** A file that an operator did something about. */
export interface HandledFile {
  readonly fileId: string;
  /** Line of ops.action_log. */
  readonly actionId: string;
}

/**
 * Takes a file off the desk that cannot be read and that nobody needs, with what it is. It is kept, and nothing that it
 * says counts. Throws validation_failed, not_found for the business and the file, conflict where it is in another state.
 */
export async function operatorDismissBankFile(
  call: OperatorCall,
  given: BankFileExplanation,
): Promise<HandledFile> {
  const { explanation, fileId, ...input } = parseInput(bankFileExplanation, given);
  const actionId = await handleAtDesk(call, {
    command: 'operatorBankFileDismiss',
    action: 'dismiss_bank_file',
    input,
    subjectId: fileId,
    detail: { explanation },
    work: (client, scope, orderId) =>
      dismissFile(client, scope, fileId, { explanation, actionId: orderId }),
  });
  return { fileId, actionId };
}

/**
 * Has the worker read a file once more: one that cannot be read, after its reader was mended, or one with a statement of
 * an account that the connection has since. What counted before is found again, so nothing is booked twice. Throws validation_failed, not_found for the business
 * and the file, conflict where the file is in another state.
 */
export async function operatorReadBankFileAgain(
  call: OperatorCall,
  given: BankFileOrder,
): Promise<HandledFile> {
  const { businessId, environment, fileId, reason } = parseInput(bankFileOrder, given);
  const { services, operator } = call;
  return inTransaction(services.pool, async (client) => {
    const scope = await requireTenant(client, operator, businessId, environment);
    await readFileAgain(client, scope, fileId);
    const actionId = await recordOrder(client, {
      action: 'read_bank_file_again',
      who: operatorId(operator.operator),
      tenantId: scope.tenantId,
      payoutId: fileId,
      reason,
      detail: {},
    });
    await recordAction(client, operator, {
      action: 'operatorBankFileReadAgain',
      businessId,
      environment,
      subjectId: fileId,
      reason,
      detail: { action_id: actionId },
      actionId,
    });
    return { fileId, actionId };
  });
}
