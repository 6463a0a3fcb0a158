import { DomainError } from '../../src/errors/domain-error.ts';
import { mapInTurns } from '../../src/concurrency/event-loop.ts';
import { beneficiaryParams } from '../contracts/beneficiaries.ts';
import {
  bulkInviteRow,
  bulkInvitesBody,
  collectionRequestParams,
  invite,
  inviteCsv,
  invitesAnswer,
  invitesBody,
  taxDocumentList,
} from '../contracts/collection.ts';
import type { RouteAnswer } from '../route/route.ts';
import { route } from '../route/route.ts';
import { rowErrorBody, toInput, type RowFailure, type SentRows } from '../route/bulk-rows.ts';

const resultFields = `
  fragment ResultFields on CollectionInviteResult {
    index status beneficiary_id: beneficiaryId
    collection_request: collectionRequest { id scope expires_at: expiresAt }
    error { code message details }
  }`;

interface ResultData {
  readonly index: number;
  readonly status: 'invited' | 'failed';
  readonly error: RowFailure | null;
}

/** The rows of a CSV are not among those sent: the domain reads them, and says what is wrong. */
async function resultsAnswer(data: unknown, sent: SentRows): Promise<RouteAnswer> {
  const results = data as readonly ResultData[]; // what the fragment selects
  const count = (status: ResultData['status']): number =>
    results.filter((result) => result.status === status).length;
  return {
    status: 200,
    body: {
      results: await mapInTurns(results, (result) => ({
        ...result,
        error: rowErrorBody(result.error, sent, result.index),
      })),
      summary: { total: results.length, invited: count('invited'), failed: count('failed') },
    },
  };
}

export const collectionRoutes = [
  route({
    method: 'post',
    path: '/v1/beneficiaries/collection-invites',
    operationId: 'inviteBeneficiaries',
    summary: 'Invite up to 100 beneficiaries by e-mail to a hosted form for their details',
    tag: 'Collection',
    permission: 'payees:write',
    body: invitesBody,
    responses: {
      200: {
        means: 'What became of each invite, in the order sent. A row that fails stops no other.',
        body: invitesAnswer,
      },
    },
    errors: [],
    document: `
      mutation InviteBeneficiaries($invites: [CollectionInviteInput]!) {
        results: collectionInvite(invites: $invites) { ...ResultFields }
      }
      ${resultFields}`,
    variables: async ({ body }) => ({
      invites: await mapInTurns(body.invites, (row) => toInput(invite, row)),
    }),
    answer: ({ results }, { body }) =>
      resultsAnswer(results, { list: 'invites', schema: invite, rows: body.invites }),
  }),
  route({
    method: 'post',
    path: '/v1/beneficiaries/bulk-invites',
    operationId: 'inviteBeneficiariesInBulk',
    summary: 'Invite up to 1,000 beneficiaries by their e-mail addresses, as JSON or as a CSV file',
    tag: 'Collection',
    permission: 'payees:write',
    body: bulkInvitesBody,
    csv: inviteCsv,
    bulk: true,
    responses: {
      200: {
        means: 'What became of each row, in the order sent. A row that fails stops no other.',
        body: invitesAnswer,
      },
    },
    errors: [],
    document: `
      mutation InviteInBulk($rows: [CollectionInviteInput], $csv: Base64Bytes) {
        results: collectionInviteBulk(rows: $rows, csv: $csv) { ...ResultFields }
      }
      ${resultFields}`,
    variables: async ({ body, csv }) =>
      csv === null
        ? { rows: await mapInTurns(body.rows, (row) => toInput(bulkInviteRow, row)) }
        : { csv },
    answer: ({ results }, { body, csv }) =>
      resultsAnswer(results, {
        list: 'rows',
        schema: bulkInviteRow,
        rows: csv === null ? body.rows : [],
      }),
  }),
  route({
    method: 'delete',
    path: '/v1/beneficiaries/:id/collection-requests/:requestId',
    operationId: 'cancelCollectionRequest',
    summary: 'Cancel a collection request; its link stops working',
    tag: 'Collection',
    permission: 'payees:write',
    params: collectionRequestParams,
    responses: {
      204: {
        means:
          'The request is canceled and its link no longer opens; the answer has no body. A request that ended unused gets the same answer.',
        body: null,
      },
    },
    errors: ['not_found', 'conflict'],
    document: `
      mutation CancelCollectionRequest($beneficiaryId: ID!, $id: ID!) {
        collectionRequestCancel(beneficiaryId: $beneficiaryId, id: $id) { id }
      }`,
    variables: ({ params }) => ({ beneficiaryId: params.id, id: params.requestId }),
    answer: () => ({ status: 204, body: null }),
  }),
  route({
    method: 'get',
    path: '/v1/beneficiaries/:id/tax-documents',
    operationId: 'listTaxDocuments',
    summary: 'List the tax documents of a beneficiary, oldest first',
    tag: 'Collection',
    permission: 'read',
    params: beneficiaryParams,
    responses: {
      200: {
        means:
          'All tax documents of the beneficiary, oldest first; the files are downloaded one by one.',
        body: taxDocumentList,
      },
    },
    errors: ['not_found'],
    document: `
      query ListTaxDocuments($id: ID!) {
        beneficiary(id: $id) {
          tax_documents: taxDocuments {
            id collection_request_id: collectionRequestId form_type: formType
            content_type: contentType size_bytes: sizeBytes created_at: createdAt
          }
        }
      }`,
    variables: ({ params }) => ({ ...params }),
    answer: (data) => {
      if (data['beneficiary'] === null) throw new DomainError('not_found');
      return { status: 200, body: data['beneficiary'] };
    },
  }),
];
