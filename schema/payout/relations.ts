import type { DecisionStatus } from '../../src/domain/payout/decision-store.ts';
import { readDecisions } from '../../src/domain/payout/decision-list.ts';
import { readTransitions } from '../../src/domain/payout/transition-list.ts';
import { readMembersByUser } from '../../src/domain/access/members-by-id.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { float, id, int, json, stored, text, time } from '../../src/values/columns.ts';
import { Author, authorOf } from '../access/author.ts';
import { Member } from '../access/type.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import type { Context } from '../context.ts';
import { describedEnum } from '../common/described-enum.ts';
import { childrenBy, childrenCost } from '../lists/children.ts';
import { resolvePage } from '../lists/connection.ts';
import { forwardArgs, pageCost } from '../lists/page-args.ts';
import { loadBy } from '../lists/loader.ts';
import { PayoutStateBeforeEnum, PayoutStateEnum } from './enums.ts';
import { Payout } from './type.ts';

export const DecisionStatusEnum = describedEnum<DecisionStatus>(
  'DecisionStatus',
  'Outcome of a decision.',
  {
    approved: 'The payout is approved.',
    rejected: 'The payout is rejected for good.',
    pending_review: 'A note: the payout keeps waiting.',
  },
);

const memberByUser = loadBy(readMembersByUser, (user) => user);

const freeJsonCost = 10;

/** A decision holds tens of kilobytes, and an operation may name a field under many aliases. */
const mostFreeJson = 750;

const freeJson = new WeakMap<Context, number>();

/** Counts a JSON field of a decision in its operation. Throws `bad_request` for too many. */
function counted<T>(context: Context, value: T): T {
  const before = freeJson.get(context) ?? 0;
  if (before >= mostFreeJson) {
    throw new DomainError('bad_request', {
      message: `An operation may show ${mostFreeJson} JSON fields of decisions; ask for fewer at a time.`,
    });
  }
  freeJson.set(context, before + 1);
  return value;
}

export const Decision = builder.prismaObject('PayoutDecision', {
  name: 'Decision',
  description: 'An approval, a rejection or a note about a payout, by a person or a program.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the record.'),
      decisionId: text("The caller's ULID; the idempotency key within the payout."),
      payoutId: id('The payout decided on.'),
      status: stored(DecisionStatusEnum, 'The outcome.'),
      reasons: t.field({
        type: 'JSON',
        complexity: freeJsonCost,
        description: 'List of {code, message, details}.',
        resolve: ({ reasons }, _args, context) => counted(context, reasons),
      }),
      evaluatedBy: t.field({
        type: 'JSON',
        complexity: freeJsonCost,
        description: 'Who decided, as the submitter says; the submitter where it names nobody.',
        resolve: ({ evaluatedBy }, _args, context) => counted(context, evaluatedBy),
      }),
      submittedBy: t.field({
        type: 'JSON',
        nullable: true,
        resolve: ({ submittedBy }, _args, context) => counted(context, submittedBy),
        description:
          'Who submitted the decision, by their API key; null where that is not recorded.',
      }),
      evaluatedAt: time('When the actor decided.'),
      submittedAt: time('When the decision was recorded.'),
      author: t.field({
        type: Author,
        nullable: true,
        description: 'Who submitted it, with the names of today; null where that is not recorded.',
        resolve: ({ submittedBy }) => authorOf(submittedBy),
      }),
      onBehalfOf: t.field({
        type: Member,
        nullable: true,
        description: 'For whom it was made, where not for who submitted it (approvalDelegate).',
        resolve: ({ onBehalfOf }, _args, context) =>
          onBehalfOf === null ? null : memberByUser(context, onBehalfOf),
      }),
      policyVersion: text.orNull('Version of the policy that was applied.'),
      agentVersion: text.orNull('Version of the agent that decided.'),
      confidence: float.orNull('From 0 to 1.'),
    }),
});

export const PayoutTransition = builder.prismaObject('PayoutTransition', {
  description: 'One change of state, with who made it.',
  fields: (t) =>
    shown(t, {
      seq: int('Number of the transition, from 1.'),
      // The machine has no others, and the database knows it.
      fromState: stored(PayoutStateBeforeEnum, 'State before; new for the creation.'),
      toState: stored(PayoutStateEnum, 'State after.'),
      actor: json('A member, the system or a provider.'),
      reason: text.orNull('Why, in words.'),
      occurredAt: time('When it happened.'),
    }),
});

const DecisionConnection = connectionOf(
  Decision,
  'DecisionConnection',
  'A page of decisions, oldest first.',
);

const decisionsOf = loadBy(
  readDecisions,
  ({ payoutId, after, take }) => `${payoutId} ${after ?? ''} ${take}`,
);

const transitionsOf = childrenBy(readTransitions);

builder.prismaObjectFields(Payout, (t) => ({
  decisions: t.field({
    type: DecisionConnection,
    description:
      'Decisions on the payout, oldest first. bad_request where the payouts of an operation have more than 250 together.',
    args: forwardArgs,
    // The payouts of an operation share a bound, so a page of each costs less than it could hold.
    complexity: pageCost(100),
    resolve: ({ id: payoutId }, args, context) =>
      resolvePage(context, {
        list: 'decisions',
        filter: { payoutId },
        args,
        oneWay: true,
        fetch: ({ after, take }) => decisionsOf(context, { payoutId, after, take }),
      }),
  }),
  transitions: t.field({
    type: [PayoutTransition],
    description: 'The latest 100 changes of state, oldest first.',
    args: { before: t.arg.int({ description: 'Only changes before the one with this number.' }) },
    complexity: childrenCost,
    resolve: ({ id }, { before }, context) =>
      transitionsOf(context, { id, before: before ?? null }),
  }),
}));
