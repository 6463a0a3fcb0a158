import { mapInTurns } from '../../src/concurrency/event-loop.ts';
import { batchRowFields, payoutBatchFields } from '../../src/domain/payout-batch/fields.ts';
import { DomainError, type FieldError } from '../../src/errors/domain-error.ts';
import { emptyBody } from '../contracts/common.ts';
import { selectionOf } from '../contracts/declared.ts';
import {
  batchAddBody,
  batchCreateBody,
  batchEnvelope,
  batchList,
  batchListQuery,
  batchParams,
  batchRowList,
  batchRowsQuery,
  batchWithSummary,
  leaveOutBody,
  submitBody,
} from '../contracts/payout-batches.ts';
import { toCamelCase, toSnakeCase } from '../http/case.ts';
import { withIntegers } from '../http/exact-integer.ts';
import { route, type RouteAnswer } from '../route/route.ts';
import { listAnswer, listVariables, replayHeaders } from './lists.ts';

const batchFields = `fragment BatchFields on PayoutBatch { id ${selectionOf(payoutBatchFields)} }`;

const summaryFields = `
  fragment SummaryFields on PayoutBatch {
    summary {
      statuses { status rows }
      totals {
        currency rows amount_minor: amountMinor undecided_minor: undecidedMinor available_minor: availableMinor
        shortfall_minor: shortfallMinor
      }
      states { state currency payouts amount_minor: amountMinor }
      routes { provider currency rows amount_minor: amountMinor }
    }
    problems { code message rows first_rows: firstRows }
  }`;

type Sums = Readonly<Record<'statuses' | 'totals' | 'states' | 'routes', readonly object[]>>;

/** A batch with what it comes to, as the fragments select it. */
function wholeAnswer(data: unknown): RouteAnswer {
  const { summary, problems, ...batch } = data as { summary: Sums; problems: unknown };
  const { statuses, totals, states, routes } = summary;
  const sums = {
    statuses,
    totals: totals.map(withIntegers),
    states: states.map(withIntegers),
    routes: routes.map(withIntegers),
  };
  return { status: 200, body: { payout_batch: batch, summary: sums, problems } };
}

interface RowData {
  readonly error: { readonly details: readonly FieldError[] } | null;
}

/** A row with its sum as an integer, and the fields of its error by their names in REST. */
const rowBody = (row: unknown): object => {
  const { error, ...rest } = row as RowData; // the document selects it
  const details = (error?.details ?? []).map((one) => ({ ...one, field: toSnakeCase(one.field) }));
  return { ...withIntegers(rest), error: error === null ? null : { ...error, details } };
};

/** What refuses an operation on a batch. */
const refusals = ['not_found', 'conflict'] as const;

interface Act {
  readonly path: 'check' | 'submit' | 'cancel';
  readonly verb: 'Check' | 'Submit' | 'Cancel';
  readonly summary: string;
  readonly details: string;
  readonly means: string;
}

/** What is done to a batch as a whole. Its answer tells what it comes to. */
function act({ path, verb, summary, details, means }: Act) {
  const submits = path === 'submit';
  return route({
    method: 'post',
    path: `/v1/payout-batches/:payoutBatchId/${path}`,
    operationId: `${path}PayoutBatch`,
    summary,
    details,
    tag: 'Payout batches',
    permission: 'payouts:write',
    params: batchParams,
    body: submits ? submitBody : emptyBody,
    responses: { 200: { means, body: batchWithSummary } },
    errors: submits ? [...refusals, 'unprocessable_entity'] : refusals,
    document: `
      mutation ${verb}PayoutBatch($payoutBatchId: ID!${submits ? ', $revision: Int' : ''}) {
        batch: payoutBatch${verb}(payoutBatchId: $payoutBatchId${submits ? ', revision: $revision' : ''}) {
          ...BatchFields ...SummaryFields
        }
      }
      ${batchFields} ${summaryFields}`,
    variables: ({ params, body }) => ({ ...params, ...(toCamelCase(body ?? {}) as object) }),
    answer: (data) => wholeAnswer(data['batch']),
  });
}

export const payoutBatchRoutes = [
  route({
    method: 'post',
    path: '/v1/payout-batches',
    operationId: 'createPayoutBatch',
    summary: 'Make the draft of a batch of payouts, with up to 1,000 of its rows',
    details:
      'A draft is checked and submitted as a whole. Nothing is paid before it is submitted and its payouts are approved. Its idempotency key is remembered for good.',
    tag: 'Payout batches',
    permission: 'payouts:write',
    body: batchCreateBody,
    bulk: true,
    idempotencyKey: 'of_body',
    responses: {
      200: {
        means: 'A replay: the batch that the same request made before, as it is at this moment.',
        body: batchEnvelope,
        headers: ['Idempotent-Replayed'],
      },
      201: { means: 'The draft is made. Its rows are not checked yet.', body: batchEnvelope },
    },
    errors: ['IDEMPOTENCY_KEY_REUSED'],
    document: `
      mutation CreatePayoutBatch($name: String!, $idempotencyKey: String!, $rows: [PayoutBatchRowInput!]) {
        made: payoutBatchCreate(name: $name, idempotencyKey: $idempotencyKey, rows: $rows) {
          replayed batch { ...BatchFields }
        }
      }
      ${batchFields}`,
    variables: async ({ body }) => ({
      name: body.name,
      idempotencyKey: body.idempotency_key,
      rows: await mapInTurns(body.rows ?? [], toCamelCase),
    }),
    answer: (data) => {
      const { batch, replayed } = data['made'] as { batch: unknown; replayed: boolean };
      const body = { payout_batch: batch };
      return replayed ? { status: 200, body, headers: replayHeaders } : { status: 201, body };
    },
  }),
  route({
    method: 'get',
    path: '/v1/payout-batches',
    operationId: 'listPayoutBatches',
    summary: 'List batches of payouts, newest first',
    tag: 'Payout batches',
    permission: 'read',
    query: batchListQuery,
    responses: { 200: { means: 'One page of the batches, newest first.', body: batchList } },
    errors: [],
    document: `
      query ListPayoutBatches($first: Int, $after: String) {
        payoutBatches(first: $first, after: $after) {
          edges { node { ...BatchFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ${batchFields}`,
    variables: ({ query: { limit, cursor } }) => ({ first: limit, after: cursor ?? null }),
    answer: (data) => listAnswer('payout_batches', data['payoutBatches']),
  }),
  route({
    method: 'get',
    path: '/v1/payout-batches/:payoutBatchId',
    operationId: 'getPayoutBatch',
    summary: 'Read a batch, how far it is, and what it comes to',
    tag: 'Payout batches',
    permission: 'read',
    params: batchParams,
    responses: {
      200: {
        means:
          'The batch, its rows by status, its payouts by state and currency, its totals against the funds of this moment, and why rows are refused.',
        body: batchWithSummary,
      },
    },
    errors: ['not_found'],
    document: `
      query GetPayoutBatch($payoutBatchId: ID!) {
        batch: payoutBatch(payoutBatchId: $payoutBatchId) { ...BatchFields ...SummaryFields }
      }
      ${batchFields} ${summaryFields}`,
    variables: ({ params }) => ({ ...params }),
    answer: (data) => {
      if (data['batch'] === null) throw new DomainError('not_found');
      return wholeAnswer(data['batch']);
    },
  }),
  route({
    method: 'get',
    path: '/v1/payout-batches/:payoutBatchId/rows',
    operationId: 'listPayoutBatchRows',
    summary: 'List the rows of a batch in their order, with what became of each',
    tag: 'Payout batches',
    permission: 'read',
    params: batchParams,
    query: batchRowsQuery,
    responses: { 200: { means: 'One page of the rows, in their order.', body: batchRowList } },
    errors: ['not_found'],
    document: `
      query ListPayoutBatchRows(
        $payoutBatchId: ID!, $first: Int, $after: String, $status: [PayoutBatchRowStatus!]
      ) {
        rows: payoutBatchRows(payoutBatchId: $payoutBatchId, first: $first, after: $after, status: $status) {
          edges { node { ${selectionOf(batchRowFields)} error { code message details } } }
          pageInfo { hasNextPage endCursor }
        }
      }`,
    variables: ({ params, query: { status, ...page } }) => {
      const { first, after } = listVariables(page);
      return { ...params, first, after, status: status ?? null };
    },
    answer: (data) => {
      const { status, body } = listAnswer('rows', data['rows']);
      const { rows, ...page } = body as { rows: readonly unknown[] };
      return { status, body: { rows: rows.map(rowBody), ...page } };
    },
  }),
  route({
    method: 'post',
    path: '/v1/payout-batches/:payoutBatchId/rows',
    operationId: 'addPayoutBatchRows',
    summary: 'Add up to 1,000 rows to a draft, up to 10,000 in all',
    details:
      '`first_row` says where they belong, so the same request, sent again, adds nothing, and of two at once one is refused.',
    tag: 'Payout batches',
    permission: 'payouts:write',
    params: batchParams,
    body: batchAddBody,
    bulk: true,
    responses: {
      200: { means: 'The batch, which has these rows now, or had them.', body: batchEnvelope },
    },
    errors: refusals,
    document: `
      mutation AddPayoutBatchRows($payoutBatchId: ID!, $firstRow: Int!, $rows: [PayoutBatchRowInput!]!) {
        payout_batch: payoutBatchRowsAdd(payoutBatchId: $payoutBatchId, firstRow: $firstRow, rows: $rows) {
          ...BatchFields
        }
      }
      ${batchFields}`,
    variables: async ({ params, body }) => ({
      ...params,
      firstRow: body.first_row,
      rows: await mapInTurns(body.rows, toCamelCase),
    }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'post',
    path: '/v1/payout-batches/:payoutBatchId/rows/leave-out',
    operationId: 'leaveOutPayoutBatchRows',
    summary: 'Leave rows of a draft out of what is paid, by their numbers, or take them in again',
    tag: 'Payout batches',
    permission: 'payouts:write',
    params: batchParams,
    body: leaveOutBody,
    responses: {
      200: { means: 'The batch; what was found of its rows stays valid.', body: batchEnvelope },
    },
    errors: refusals,
    document: `
      mutation LeaveOutPayoutBatchRows($payoutBatchId: ID!, $rows: [Int!]!, $leftOut: Boolean) {
        payout_batch: payoutBatchRowsLeaveOut(payoutBatchId: $payoutBatchId, rows: $rows, leftOut: $leftOut) {
          ...BatchFields
        }
      }
      ${batchFields}`,
    variables: ({ params, body }) => ({
      ...params,
      rows: body.rows,
      leftOut: body.left_out ?? true,
    }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  act({
    path: 'check',
    verb: 'Check',
    summary: 'Check every row of a draft by what refuses any payout',
    details:
      'It makes and reserves nothing. Each row is `ready` or `wrong` then: the answer groups what is wrong by its reason, and the list of rows has the error of each.',
    means: 'The batch with what was found, and what it comes to.',
  }),
  act({
    path: 'submit',
    verb: 'Submit',
    summary: 'Check a draft once more and submit it: its payouts are made',
    details:
      'While a row is wrong that is not left out, nothing is made and the answer is 422. Afterwards a job makes the payouts, each with `batch_id` and a life of its own; they wait for their decisions.',
    means: 'The batch, which is submitted.',
  }),
  act({
    path: 'cancel',
    verb: 'Cancel',
    summary: 'Cancel a draft or a submitted batch, with its payouts that have not left',
    details:
      'No payout is made of it any more. A job cancels those that are not handed over yet; the others end as their provider reports.',
    means: 'The batch, which is canceled.',
  }),
];
