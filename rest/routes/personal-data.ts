import { beneficiaryParams } from '../contracts/beneficiaries.ts';
import {
  eraseBody,
  erasureEnvelope,
  personalDataBody,
  personalDataEnvelope,
} from '../contracts/personal-data.ts';
import { route } from '../route/route.ts';

export const personalDataRoutes = [
  route({
    method: 'post',
    path: '/v1/beneficiaries/:id/erase',
    operationId: 'eraseBeneficiary',
    summary: "Erase a beneficiary's personal data for good",
    details:
      'A beneficiary for whom no payout was ever created is deleted. Of any other one bookkeeping keeps amounts, dates, the legal name and the masked account, and it is archived. What the payout provider knows stays with the provider.',
    tag: 'Beneficiaries',
    permission: 'payees:erase',
    params: beneficiaryParams,
    body: eraseBody,
    responses: {
      200: {
        means: 'The record of the erasure. A repetition gets the record of the first time.',
        body: erasureEnvelope,
      },
    },
    errors: ['not_found', 'BENEFICIARY_NOT_ERASABLE'],
    document: `
      mutation EraseBeneficiary($id: ID!, $ground: ErasureGround!) {
        erasure: beneficiaryErase(id: $id, ground: $ground) {
          beneficiary_id: beneficiaryId kind ground erased_at: erasedAt
        }
      }`,
    variables: ({ params, body }) => ({ ...params, ...body }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'post',
    path: '/v1/beneficiaries/:id/personal-data',
    operationId: 'exportPersonalData',
    summary: 'Export everything that is held about one beneficiary, as its right of access demands',
    details:
      'It is no GET, since each call is recorded with its caller. The first answer has all lists with the first 500 payouts; send `next_payouts_after` as `payouts_after` for the next 500.',
    tag: 'Beneficiaries',
    permission: 'payees:disclose',
    params: beneficiaryParams,
    body: personalDataBody,
    responses: {
      200: { means: 'One page of what is held.', body: personalDataEnvelope },
    },
    errors: ['not_found'],
    document: `
      mutation ExportPersonalData($id: ID!, $payoutsAfter: String) {
        personal_data: beneficiaryPersonalDataExport(id: $id, payoutsAfter: $payoutsAfter) {
          beneficiary_id: beneficiaryId data next_payouts_after: nextPayoutsAfter
        }
      }`,
    variables: ({ params, body }) => ({ ...params, payoutsAfter: body?.payouts_after ?? null }),
    answer: (data) => ({ status: 200, body: data }),
  }),
];
