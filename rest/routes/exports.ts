import { exportList, exportListQuery } from '../contracts/exports.ts';
import { route } from '../route/route.ts';
import { listAnswer, listVariables } from './lists.ts';

export const exportFields = `
  fragment ExportFields on Export {
    id kind status
    filter {
      beneficiary_id: beneficiaryId payout_batch_id: payoutBatchId state
      created_since: createdSince created_before: createdBefore
    }
    entries_filter: entriesFilter {
      payout_id: payoutId kind
      recorded_since: recordedSince recorded_before: recordedBefore
    }
    filename row_count: rowCount byte_count: byteCount schedule_id: scheduleId
    failure_message: failureMessage created_at: createdAt started_at: startedAt
    completed_at: completedAt expires_at: expiresAt
  }`;

export const exportRoutes = [
  route({
    method: 'get',
    path: '/v1/exports',
    operationId: 'listExports',
    summary: 'List exports that a job writes or has written, newest first, recurring ones included',
    tag: 'Exports',
    permission: 'read',
    query: exportListQuery,
    responses: {
      200: { means: 'One page of the exports, newest first.', body: exportList },
    },
    errors: [],
    document: `
      query ListExports($first: Int, $after: String, $filter: ExportsFilter) {
        exports(first: $first, after: $after, filter: $filter) {
          edges { node { ...ExportFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ${exportFields}`,
    variables: ({ query }) => listVariables(query),
    answer: (data) => listAnswer('exports', data['exports']),
  }),
];
