import type { PoolClient } from 'pg';
import type { BankLine } from '../../../generated/prisma/client.ts';
import { operatorId, type Scope } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall, Services } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { handRefusals, matchByHand, type HandRefusal } from '../bank-file/by-hand.ts';
import { lockLine } from '../bank-file/line-store.ts';
import { findWaitingAbout, propose } from '../proposed-change/store.ts';
import { requireTenant } from './action.ts';
import { handleAtDesk, matchedMeanwhile, type HandledLine } from './bank-desk.ts';
import { bankLineMatch, type BankLineMatch } from './input.ts';
import {
  needsSecond,
  orderChange,
  tried,
  type OperatorChange,
  type OrderCall,
} from './order-change.ts';
import {
  findOpenOrder,
  lockOpenOrder,
  noteOutcome,
  orderScope,
  recordOrder,
  type OrderRef,
  type PayoutOrder,
} from './payout-order.ts';

/** The operator of a scope that an order opened, as ops.action_log names them. */
function whoOf({ actor }: Scope): string {
  if (actor.type !== 'operator') throw new Error('only operators match movements by hand');
  return 'login' in actor ? actor.login : operatorId(actor);
}

const refusalOf = (refusal: HandRefusal) =>
  new DomainError(refusal === 'no_line' ? 'not_found' : 'conflict', {
    message: handRefusals[refusal],
  });

/** What a second operator compares with the statement. */
const shownOf = (line: BankLine, matchedWith: string) => {
  const { connectionId, direction, amountMinor, currency, bookedOn } = line;
  return {
    before: {},
    after: { connectionId, direction, amountMinor, currency, bookedOn, matchedWith },
  };
};

/** Matches a movement of production, once a second operator has confirmed what it says of the payment. */
export const bankLineMatchOrder: OperatorChange<HandledLine> = {
  kind: 'bank_line_match',
  action: 'operatorBankLineMatch',
  told: null,
  parse: (given) => {
    const { businessId, lineId, subjectId, reason } = parseInput(bankLineMatch, given);
    return {
      businessId,
      reason,
      decides: true,
      apply: async (client, { scope }) => {
        const line = isId('bankLine', lineId) ? await lockLine(client, scope, lineId) : null;
        if (line === null) throw refusalOf('no_line');
        const actionId = await recordOrder(client, {
          action: 'match_bank_line',
          who: whoOf(scope),
          tenantId: scope.tenantId,
          payoutId: lineId,
          reason,
          detail: { subject: subjectId },
        });
        const byHand = { explanation: reason, actionId };
        const refusal = await matchByHand(client, scope, lineId, subjectId, byHand);
        if (refusal !== null) throw refusalOf(refusal);
        await noteOutcome(client, { tenantId: scope.tenantId, actionId }, 'done');
        return {
          result: { lineId, actionId },
          subjectId: lineId,
          detail: { subject: subjectId },
          ...shownOf(line, subjectId),
        };
      },
    };
  },
};

/**
 * Matches a line that matched nothing with the payment of a payout, or with a batch as a whole. The payout moves as
 * if the line had named it. Null where it waits for a second operator. Throws validation_failed, not_found for the
 * business and the line; conflict where the line is not open or waits for a second operator already, the amounts differ,
 * or the payment is matched already.
 */
export async function operatorMatchBankLine(
  call: OperatorCall,
  given: BankLineMatch,
): Promise<HandledLine | null> {
  const { subjectId, lineId, ...input } = parseInput(bankLineMatch, given);
  if (needsSecond(input.environment, call.services)) {
    const { pool } = call.services;
    const waits = await inTransaction(pool, async (client) => {
      const scope = await requireTenant(client, call.operator, input.businessId, 'production');
      return findWaitingAbout(client, scope, bankLineMatchOrder.kind, lineId);
    });
    if (waits) throw new DomainError('conflict', { message: waitsAlready });
    return retryOnError(matchedMeanwhile, () => orderChange(call, bankLineMatchOrder, given));
  }
  const actionId = await handleAtDesk(call, {
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

const waitsAlready = 'A match of this line waits for a second operator already.';

/** The payout or batch that an order of `ops.match_bank_line` names. */
function subjectOf(detail: unknown): string {
  const { subject } = detail as { readonly subject?: unknown };
  return typeof subject === 'string' ? subject : '';
}

/** What an order from SQL asks for, as the mutation takes it. */
const asGiven = ({ businessId, environment }: Scope, order: PayoutOrder): BankLineMatch => ({
  businessId,
  environment,
  lineId: order.payoutId,
  subjectId: subjectOf(order.detail),
  reason: order.reason,
});

/** Proposes what an order from SQL asks for, in the transaction of `client`. Its outcome. */
async function proposeOrder(
  client: PoolClient,
  call: OrderCall,
  order: PayoutOrder,
): Promise<string> {
  const { scope } = call;
  const { kind } = bankLineMatchOrder;
  const line = await lockLine(client, scope, order.payoutId);
  if (line === null) return 'no_line';
  if (await findWaitingAbout(client, scope, kind, line.id)) return 'proposed_already';
  const { subjectId } = asGiven(scope, order);
  await propose(client, call, {
    kind,
    subjectId: line.id,
    given: asGiven(scope, order),
    shown: shownOf(line, subjectId),
    reason: order.reason,
    who: whoOf(scope),
  });
  return 'proposed';
}

/**
 * Carries out an operator's order from SQL to match a line, once, as a job. Its outcome is `done`, or the name of
 * what refuses it; `proposed` where a second operator has to confirm it, and `proposed_already` where one has to confirm
 * another match of the line.
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
  const match = (client: PoolClient) =>
    matchByHand(client, scope, lineId, subjectOf(order.detail), byHand);
  const waits = needsSecond(scope.environment, services);
  const outcome = await retryOnError(matchedMeanwhile, async () => {
    const refusal = waits ? await tried(services.pool, match) : null;
    return inTransaction(services.pool, async (client) => {
      if (!(await lockOpenOrder(client, order))) return null;
      const done = waits
        ? (refusal ?? (await proposeOrder(client, { scope, services }, order)))
        : ((await match(client)) ?? 'done');
      await noteOutcome(client, order, done);
      return done;
    });
  });
  if (outcome === null) return;
  services.log.info({ line_id: lineId, outcome }, "carried out an operator's order about a line");
}
