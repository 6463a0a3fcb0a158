import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { operatorId, type Scope } from '../../access/scope.ts';
import { violatesUnique } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall, Services } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { findConnection } from '../bank-connection/store.ts';
import {
  explainByHand,
  handRefusals,
  matchByHand,
  type HandRefusal,
} from '../bank-file/by-hand.ts';
import { storeBankFile, type Stored } from '../bank-file/content.ts';
import { dismissFile } from '../bank-file/file-store.ts';
import { readFileAgain } from '../bank-file/read-again.ts';
import { explainStrayByHand } from '../bank-file/stray-store.ts';
import { recordAction, requireTenant, type OperatorCommand } from './action.ts';
import {
  bankAnswerExplanation,
  bankFileDelivery,
  bankFileExplanation,
  bankFileOrder,
  bankLineExplanation,
  bankLineMatch,
  type BankAnswerExplanation,
  type BankFileDelivery,
  type BankFileExplanation,
  type BankFileOrder,
  type BankLineExplanation,
  type BankLineMatch,
} from './input.ts';
import {
  findOpenOrder,
  lockOpenOrder,
  noteOutcome,
  orderScope,
  recordOrder,
  type OrderRef,
} from './payout-order.ts';

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

interface DeskCommand {
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
const matchedMeanwhile = (error: unknown): boolean => violatesUnique(error, 'bank_match_pkey');

/**
 * Does something about a line or an answer and records it, in one transaction; the line of ops.action_log. Throws
 * not_found, and conflict with the reason.
 */
function handle(call: OperatorCall, given: DeskCommand): Promise<string> {
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
 * Matches a line that matched nothing with the payment of a payout, or with a batch as a whole. The payout moves as
 * if the line had named it. Throws validation_failed, not_found for the business and the line; conflict where the
 * line is not open, the amounts differ, or the payment is matched already.
 */
export async function operatorMatchBankLine(
  call: OperatorCall,
  given: BankLineMatch,
): Promise<HandledLine> {
  const { subjectId, lineId, ...input } = parseInput(bankLineMatch, given);
  const actionId = await handle(call, {
    command: 'operatorBankLineMatch',
    action: 'match_bank_line',
    input,
    subjectId: lineId,
    detail: { subject: subjectId },
    work: (client, scope, orderId) =>
      matchByHand(client, scope, lineId, subjectId, {
        explanation: input.reason,
        actionId: orderId,
      }),
  });
  return { lineId, actionId };
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
  const actionId = await handle(call, {
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
  const actionId = await handle(call, {
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

/** The payout or batch that an order of `ops.match_bank_line` names. */
function subjectOf(detail: unknown): string {
  const { subject } = detail as { readonly subject?: unknown };
  return typeof subject === 'string' ? subject : '';
}

/**
 * Carries out an operator's order from SQL to match a line, once, as a job. Its outcome is `done`, or the name of
 * what refuses it.
 */
export async function matchLineByOrder(
  services: Services,
  ref: { readonly tenantId: string; readonly lineId: string; readonly actionId: string },
): Promise<void> {
  const { tenantId, lineId, actionId } = ref;
  const place: OrderRef = { tenantId, payoutId: lineId, actionId };
  const order = await findOpenOrder(services.pool, 'match_bank_line', place);
  if (order === null) return;
  const scope = await orderScope(services, order);
  const byHand = { explanation: order.reason, actionId };
  const outcome = await retryOnError(matchedMeanwhile, () =>
    inTransaction(services.pool, async (client) => {
      if (!(await lockOpenOrder(client, order))) return null;
      const refusal = await matchByHand(client, scope, lineId, subjectOf(order.detail), byHand);
      await noteOutcome(client, order, refusal ?? 'done');
      return refusal ?? 'done';
    }),
  );
  if (outcome === null) return;
  services.log.info({ line_id: lineId, outcome }, "carried out an operator's order about a line");
}

/**
 * Takes a file of a bank that a person brings, such as one of a connection without a transport. It is stored once
 * by its bytes and then read by the worker. At most 15 MiB; a larger one is taken by `npm run ops -- take-bank-file`.
 * Throws validation_failed, and not_found for the business and the connection.
 */
export async function operatorTakeBankFile(
  call: OperatorCall,
  given: BankFileDelivery,
): Promise<Stored> {
  const input = parseInput(bankFileDelivery, given);
  const { businessId, environment, connectionId, name, contentBase64, reason } = input;
  const { services, operator } = call;
  const content = Buffer.from(contentBase64, 'base64');
  const scope = await inTransaction(services.pool, async (client) => {
    const tenant = await requireTenant(client, operator, businessId, environment);
    if ((await findConnection(client, tenant, connectionId)) === null) {
      throw new DomainError('not_found', { message: 'The bank connection does not exist.' });
    }
    const sha256 = createHash('sha256').update(content).digest('hex');
    await recordAction(client, operator, {
      action: 'operatorBankFileTake',
      businessId,
      environment,
      subjectId: connectionId,
      reason,
      detail: { sha256, bytes: content.length },
    });
    return tenant;
  });
  async function* bytes() {
    yield await Promise.resolve(content);
  }
  const takenBy = operatorId(operator.operator);
  return storeBankFile({ scope, services }, { connectionId, name, takenBy, bytes: bytes() });
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
  const actionId = await handle(call, {
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
