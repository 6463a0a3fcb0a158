import { approvalSelection } from '../contracts/approval.ts';
import {
  aliasBody,
  decidedEnvelope,
  decisionBody,
  decisionEnvelope,
  decisionList,
  decisionListQuery,
  payoutCreateBody,
  payoutEnvelope,
  payoutWithApproval,
  payoutList,
  payoutListQuery,
  payoutParams,
  payoutReplayOrDryRun,
} from '../contracts/payouts.ts';
import { emptyBody } from '../contracts/common.ts';
import type { ErrorCode } from '../../src/errors/catalogue.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { shownFields } from '../../src/domain/payout/fields.ts';
import { selectionOf } from '../contracts/declared.ts';
import { toCamelCase } from '../http/case.ts';
import { withIntegers } from '../http/exact-integer.ts';
import { route } from '../route/route.ts';
import { listAnswer, listVariables, replayHeaders } from './lists.ts';

/** The aliases are the mapping: the operation's data has the shape that REST answers. */
export const payoutFields = `fragment PayoutFields on Payout { id ${selectionOf(shownFields)} }`;

const decisionFields = `
  fragment DecisionFields on Decision {
    id decision_id: decisionId payout_id: payoutId status reasons
    evaluated_by: evaluatedBy evaluated_at: evaluatedAt
    submitted_by: submittedBy submitted_at: submittedAt
    policy_version: policyVersion agent_version: agentVersion confidence
  }`;

const decisionErrors = [
  'PAYOUT_NOT_FOUND',
  'INVALID_STATE_TRANSITION',
  'IDEMPOTENCY_KEY_REUSED',
] as const;

/** What an approval is refused for, besides the state of the payout. */
const approvalErrors = [
  'BANK_ACCOUNT_CHANGED',
  'NAME_CHECK_NOT_PASSED',
  'PREDECESSOR_NOT_REPLACEABLE',
  'FUNDING_INSUFFICIENT',
  'STEP_UP_REQUIRED',
  'PAYOUT_CONCURRENCY_CONFLICT',
] as const;

const rejectionErrors = ['REJECTION_REASON_REQUIRED'] as const;

/** Whether the funds would cover the payout of a dry run. */
export const fundingOutlookField =
  'funding { currency available_minor: availableMinor shortfall_minor: shortfallMinor }';

interface DecidedData {
  readonly payout: unknown;
  readonly decision: unknown;
  readonly replayed: boolean;
}

function decidedAnswer(decided: DecidedData) {
  const { payout, decision, replayed } = decided;
  return {
    status: 200,
    body: { payout, decision },
    ...(replayed ? { headers: replayHeaders } : {}),
  };
}

interface DecisionAlias {
  readonly action: 'approve' | 'reject';
  readonly verb: 'Approve' | 'Reject';
  readonly summary: string;
  readonly errors: readonly ErrorCode[];
}

/** Approve and reject: aliases of a decision whose status is in the path. */
function decisionAlias({ action, verb, summary, errors }: DecisionAlias) {
  return route({
    method: 'post',
    path: `/v1/payouts/:payoutId/${action}`,
    operationId: `${action}Payout`,
    summary,
    tag: 'Decisions',
    permission: 'payouts:decide',
    params: payoutParams,
    body: aliasBody,
    responses: {
      200: {
        means:
          'The payout after the decision, and the decision. A repetition with the same decision_id replays it.',
        body: decidedEnvelope,
        headers: ['Idempotent-Replayed'],
      },
    },
    errors: [...decisionErrors, ...errors],
    document: `
      mutation ${verb}Payout($payoutId: ID!, $decisionId: String, $reasons: [DecisionReasonInput!]) {
        decided: payout${verb}(payoutId: $payoutId, decisionId: $decisionId, reasons: $reasons) {
          replayed payout { ...PayoutFields } decision { ...DecisionFields }
        }
      }
      ${payoutFields} ${decisionFields}`,
    variables: ({ params, body }) => ({ ...params, ...(toCamelCase(body ?? {}) as object) }),
    answer: (data) => decidedAnswer(data['decided'] as DecidedData),
  });
}

export const payoutRoutes = [
  route({
    method: 'post',
    path: '/v1/payouts',
    operationId: 'createPayout',
    summary: 'Create a payout, idempotent on idempotency_key for 24 hours',
    details:
      'The first check that fails decides the code: amount, purpose, idempotency key; the beneficiary (there, active, compliant, acknowledged, as echoed); the bank account (there, of the beneficiary, verified, validated, not rejected, enrolled, of the currency); the payout that is replaced; the sandbox wallet.',
    tag: 'Payouts',
    permission: 'payouts:write',
    body: payoutCreateBody,
    idempotencyKey: 'of_body',
    responses: {
      200: {
        means:
          'Either a replay: the payout that the same request created before, as it is at this moment. Or, with dry_run, no payout: the request would have been accepted.',
        body: payoutReplayOrDryRun,
        headers: ['Idempotent-Replayed'],
      },
      201: {
        means:
          'The payout is created. It waits for a decision, unless validator_strategy auto approved it.',
        body: payoutEnvelope,
      },
    },
    errors: [
      'INVALID_MONEY',
      'INVALID_PURPOSE_OF_PAYMENT',
      'IDEMPOTENCY_KEY_REUSED',
      'not_found',
      'BENEFICIARY_ARCHIVED',
      'BENEFICIARY_NOT_COMPLIANT',
      'BENEFICIARY_REACKNOWLEDGMENT_REQUIRED',
      'BENEFICIARY_MISMATCH',
      'BANK_ACCOUNT_NOT_FOUND',
      'BANK_ACCOUNT_BENEFICIARY_MISMATCH',
      'BANK_ACCOUNT_NOT_VERIFIED',
      'BANK_ACCOUNT_NOT_VALIDATED',
      'BANK_ACCOUNT_RAIL_REJECTED',
      'NAME_CHECK_NOT_PASSED',
      'BENEFICIARY_ENROLLMENT_FAILED',
      'unprocessable_entity',
      'PAYOUT_ROUTE_MISSING',
      'PAYEE_ADDRESS_INCOMPLETE',
      'PAYOUT_ROUTE_UNFIT',
      'PREDECESSOR_NOT_REPLACEABLE',
      'PREDECESSOR_ALREADY_REPLACED',
      'SANDBOX_WALLET_UNFUNDED',
      'PAYOUT_BLOCKED_BY_POLICY',
      'FUNDING_INSUFFICIENT',
      'PAYOUT_CONCURRENCY_CONFLICT',
    ],
    document: `
      mutation CreatePayout($input: PayoutCreateInput!) {
        payoutCreate(input: $input) { replayed payout { ...PayoutFields } ${fundingOutlookField} }
      }
      ${payoutFields}`,
    variables: ({ body }) => ({ input: toCamelCase(body) }),
    answer: (data) => {
      const { payout, replayed, funding } = data['payoutCreate'] as {
        payout: unknown;
        replayed: boolean;
        funding: object | null;
      };
      if (payout === null) {
        return {
          status: 200,
          body: { payout: null, dry_run: true, funding: withIntegers(funding ?? {}) },
        };
      }
      return replayed
        ? { status: 200, body: { payout }, headers: replayHeaders }
        : { status: 201, body: { payout } };
    },
  }),
  route({
    method: 'get',
    path: '/v1/payouts',
    operationId: 'listPayouts',
    summary: 'List payouts, newest first',
    details: 'With `updatedSince` it is a feed of changes for pollers: see Pagination.',
    tag: 'Payouts',
    permission: 'read',
    query: payoutListQuery,
    responses: {
      200: {
        means:
          'One page of the payouts: newest first, or with updatedSince the oldest change first.',
        body: payoutList,
      },
    },
    errors: [],
    document: `
      query ListPayouts($first: Int, $after: String, $filter: PayoutFilter) {
        payouts(first: $first, after: $after, filter: $filter) {
          edges { node { ...PayoutFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ${payoutFields}`,
    variables: ({ query }) => listVariables(query),
    answer: (data) => listAnswer('payouts', data['payouts']),
  }),
  route({
    method: 'get',
    path: '/v1/payouts/:payoutId',
    operationId: 'getPayout',
    summary: 'Read a payout',
    tag: 'Payouts',
    permission: 'read',
    params: payoutParams,
    responses: {
      200: { means: 'The payout as it is at this moment.', body: payoutWithApproval },
    },
    errors: ['PAYOUT_NOT_FOUND'],
    document: `
      query GetPayout($id: ID!) { payout(id: $id) { ...PayoutFields ${approvalSelection} } }
      ${payoutFields}`,
    variables: ({ params }) => ({ id: params.payoutId }),
    answer: (data) => {
      if (data['payout'] === null) throw new DomainError('PAYOUT_NOT_FOUND');
      const { openApproval, ...payout } = data['payout'] as { openApproval: unknown };
      return { status: 200, body: { payout, approval: openApproval } };
    },
  }),
  decisionAlias({
    action: 'approve',
    verb: 'Approve',
    summary: 'Approve a payout; its disbursement starts',
    errors: approvalErrors,
  }),
  decisionAlias({
    action: 'reject',
    verb: 'Reject',
    summary: 'Reject a payout, with at least one reason',
    errors: rejectionErrors,
  }),
  route({
    method: 'post',
    path: '/v1/payouts/:payoutId/cancel',
    operationId: 'cancelPayout',
    summary: 'Cancel a payout that is not yet handed over to the provider',
    details:
      'Possible until the payout is handed over to the provider. A payout under way at the provider ends as the provider reports.',
    tag: 'Payouts',
    permission: 'payouts:write',
    params: payoutParams,
    body: emptyBody,
    responses: {
      200: { means: 'The payout, which is canceled.', body: payoutEnvelope },
    },
    errors: ['PAYOUT_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    document: `
      mutation CancelPayout($payoutId: ID!) { payout: payoutCancel(payoutId: $payoutId) { ...PayoutFields } }
      ${payoutFields}`,
    variables: ({ params }) => ({ ...params }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'post',
    path: '/v1/payouts/:payoutId/decisions',
    operationId: 'createDecision',
    summary: 'Record a decision, idempotent on decision_id within the payout',
    details:
      '`approved` and `rejected` do what the operations of these names do; `pending_review` only records that somebody should look. A rejection needs a reason.',
    tag: 'Decisions',
    permission: 'payouts:decide',
    params: payoutParams,
    body: decisionBody,
    responses: {
      200: {
        means: 'A replay: the decision that the same request recorded before.',
        body: decisionEnvelope,
        headers: ['Idempotent-Replayed'],
      },
      201: {
        means:
          'The decision is recorded. approved and rejected move the payout, pending_review does not.',
        body: decisionEnvelope,
      },
    },
    errors: [...decisionErrors, ...approvalErrors, ...rejectionErrors, 'conflict'],
    document: `
      mutation CreateDecision($payoutId: ID!, $input: DecisionInput!) {
        payoutDecide(payoutId: $payoutId, input: $input) { replayed decision { ...DecisionFields } }
      }
      ${decisionFields}`,
    variables: ({ params, body }) => ({ ...params, input: toCamelCase(body) }),
    answer: (data) => {
      const { decision, replayed } = data['payoutDecide'] as DecidedData;
      return replayed
        ? { status: 200, body: { decision }, headers: replayHeaders }
        : { status: 201, body: { decision } };
    },
  }),
  route({
    method: 'get',
    path: '/v1/payouts/:payoutId/decisions',
    operationId: 'listDecisions',
    summary: "List a payout's decisions, oldest first",
    tag: 'Decisions',
    permission: 'read',
    params: payoutParams,
    query: decisionListQuery,
    responses: {
      200: { means: 'One page of the decisions, oldest first.', body: decisionList },
    },
    errors: ['PAYOUT_NOT_FOUND'],
    document: `
      query ListDecisions($id: ID!, $first: Int, $after: String) {
        payout(id: $id) {
          decisions(first: $first, after: $after) {
            edges { node { ...DecisionFields } }
            pageInfo { hasNextPage endCursor }
          }
        }
      }
      ${decisionFields}`,
    variables: ({ params, query: { limit, cursor } }) => ({
      id: params.payoutId,
      first: limit,
      after: cursor ?? null,
    }),
    answer: (data) => {
      const payout = data['payout'] as { readonly decisions: unknown } | null;
      if (payout === null) throw new DomainError('PAYOUT_NOT_FOUND');
      return listAnswer('decisions', payout.decisions);
    },
  }),
];
