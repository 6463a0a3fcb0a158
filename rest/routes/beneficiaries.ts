import { DomainError } from '../../src/errors/domain-error.ts';
import { toCamelCase } from '../http/case.ts';
import {
  beneficiaryCreateBody,
  beneficiaryEnvelope,
  beneficiaryList,
  beneficiaryListQuery,
  beneficiaryParams,
  beneficiaryUpdateBody,
  enrollBody,
  enrollEnvelope,
} from '../contracts/beneficiaries.ts';
import { emptyBody } from '../contracts/common.ts';
import { selectionOf } from '../contracts/declared.ts';
import { shownFields } from '../../src/domain/beneficiary/fields.ts';
import { route } from '../route/route.ts';
import { bankAccountFields } from './bank-accounts.ts';
import { listAnswer, listVariables, replayHeaders } from './lists.ts';

/** The aliases are the mapping: the operation's data has the shape that REST answers. */
const selection = selectionOf(shownFields, {
  postalAddress: 'line1 line2 city state postal_code: postalCode country',
  bankDetails: `account_holder_name: accountHolderName country currency account_number: accountNumber iban
      routing_code: routingCode swift_bic: swiftBic bank_name: bankName`,
  pendingRequests: 'id scope expires_at: expiresAt',
});
const beneficiaryFields = `fragment BeneficiaryFields on Beneficiary { id ${selection} }`;

/** When bank_details was deprecated (RFC 9745): with the first version of the interface. */
const deprecation = { Deprecation: `@${Date.UTC(2026, 10, 1) / 1000}` };

const identityErrors = [
  'BENEFICIARY_IDENTITY_INVALID',
  'BENEFICIARY_IDENTITY_INCOMPLETE',
  'BENEFICIARY_EMAIL_ALREADY_EXISTS',
  'EXTERNAL_REF_ALREADY_EXISTS',
] as const;

export const beneficiaryRoutes = [
  route({
    method: 'post',
    path: '/v1/beneficiaries',
    operationId: 'createBeneficiary',
    summary: 'Register a beneficiary',
    tag: 'Beneficiaries',
    permission: 'payees:write',
    body: beneficiaryCreateBody,
    idempotencyKey: 'of_body',
    responses: {
      200: {
        means:
          'A replay: the beneficiary that the same request created before, as it is at this moment.',
        body: beneficiaryEnvelope,
        headers: ['Idempotent-Replayed', 'Deprecation'],
      },
      201: {
        means: 'The beneficiary is registered; it is compliant at once if acknowledged was true.',
        body: beneficiaryEnvelope,
        headers: ['Deprecation'],
      },
    },
    errors: [...identityErrors, 'IDEMPOTENCY_KEY_REUSED', 'BANK_ACCOUNT_VALIDATION_FAILED'],
    document: `
      mutation CreateBeneficiary($input: BeneficiaryCreateInput!) {
        beneficiary: beneficiaryCreate(input: $input) { createdBefore ...BeneficiaryFields }
      }
      ${beneficiaryFields}`,
    variables: ({ body }) => ({ input: toCamelCase(body) }),
    answer: (data) => {
      const { createdBefore, ...beneficiary } = data['beneficiary'] as {
        readonly createdBefore: boolean;
        readonly bank_details: unknown;
      };
      const headers = {
        ...(beneficiary.bank_details !== null && deprecation),
        ...(createdBefore && replayHeaders),
      };
      return { status: createdBefore ? 200 : 201, body: { beneficiary }, headers };
    },
  }),
  route({
    method: 'get',
    path: '/v1/beneficiaries',
    operationId: 'listBeneficiaries',
    summary: 'List the beneficiaries that are not archived, newest first',
    tag: 'Beneficiaries',
    details:
      'With `updatedSince` it is a feed of changes for pollers: see Pagination. `status` also follows from the bank accounts, which have a feed of their own: GET /v1/bank-accounts.',
    permission: 'read',
    query: beneficiaryListQuery,
    responses: {
      200: {
        means:
          'One page of the beneficiaries: newest first, or with updatedSince the oldest change first.',
        body: beneficiaryList,
      },
    },
    errors: [],
    document: `
      query ListBeneficiaries($first: Int, $after: String, $filter: BeneficiaryFilter) {
        beneficiaries(first: $first, after: $after, filter: $filter) {
          edges { node { ...BeneficiaryFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ${beneficiaryFields}`,
    variables: ({ query }) => listVariables(query),
    answer: (data) => listAnswer('beneficiaries', data['beneficiaries']),
  }),
  route({
    method: 'get',
    path: '/v1/beneficiaries/:id',
    operationId: 'getBeneficiary',
    summary: 'Read a beneficiary, archived or not',
    tag: 'Beneficiaries',
    permission: 'read',
    params: beneficiaryParams,
    responses: {
      200: {
        means: 'The beneficiary as it is at this moment, archived or not.',
        body: beneficiaryEnvelope,
      },
    },
    errors: ['not_found'],
    document: `
      query GetBeneficiary($id: ID!) { beneficiary(id: $id) { ...BeneficiaryFields } }
      ${beneficiaryFields}`,
    variables: ({ params }) => ({ ...params }),
    answer: (data) => {
      if (data['beneficiary'] === null) throw new DomainError('not_found');
      return { status: 200, body: data };
    },
  }),
  route({
    method: 'put',
    path: '/v1/beneficiaries/:id',
    operationId: 'updateBeneficiary',
    summary: 'Change fields of a beneficiary; a changed identity must be acknowledged again',
    tag: 'Beneficiaries',
    permission: 'payees:write',
    params: beneficiaryParams,
    body: beneficiaryUpdateBody,
    responses: {
      200: {
        means:
          'The beneficiary after the change. See reacknowledgment_required: a changed identity blocks new payouts until it is acknowledged again.',
        body: beneficiaryEnvelope,
      },
    },
    errors: ['not_found', 'BENEFICIARY_ARCHIVED', ...identityErrors, 'conflict'],
    document: `
      mutation UpdateBeneficiary($id: ID!, $input: BeneficiaryUpdateInput!) {
        beneficiary: beneficiaryUpdate(id: $id, input: $input) { ...BeneficiaryFields }
      }
      ${beneficiaryFields}`,
    variables: ({ params, body }) => ({ ...params, input: toCamelCase(body) }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'delete',
    path: '/v1/beneficiaries/:id',
    operationId: 'archiveBeneficiary',
    summary: 'Archive a beneficiary for good; its payouts under way continue',
    tag: 'Beneficiaries',
    permission: 'payees:write',
    params: beneficiaryParams,
    responses: {
      200: {
        means: 'The beneficiary with its archived_at. A repetition gets the same answer.',
        body: beneficiaryEnvelope,
      },
    },
    errors: ['not_found'],
    document: `
      mutation ArchiveBeneficiary($id: ID!) {
        beneficiary: beneficiaryArchive(id: $id) { ...BeneficiaryFields }
      }
      ${beneficiaryFields}`,
    variables: ({ params }) => ({ ...params }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'post',
    path: '/v1/beneficiaries/:id/compliance-acknowledgment',
    operationId: 'acknowledgeBeneficiary',
    summary: 'Attest that the business verified the beneficiary, which becomes compliant',
    tag: 'Beneficiaries',
    permission: 'payees:write',
    params: beneficiaryParams,
    body: emptyBody,
    responses: {
      200: {
        means:
          'The beneficiary, which is compliant; its pending bank accounts are verified. A repetition changes nothing.',
        body: beneficiaryEnvelope,
      },
    },
    errors: ['not_found', 'BENEFICIARY_ARCHIVED', 'BENEFICIARY_IDENTITY_INCOMPLETE', 'conflict'],
    document: `
      mutation AcknowledgeBeneficiary($id: ID!) {
        beneficiary: beneficiaryAcknowledge(id: $id) { ...BeneficiaryFields }
      }
      ${beneficiaryFields}`,
    variables: ({ params }) => ({ ...params }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'post',
    path: '/v1/beneficiaries/:id/enroll',
    operationId: 'enrollBeneficiary',
    summary:
      'Enroll a bank account with the payout provider; 202 if the provider has not answered yet',
    tag: 'Beneficiaries',
    permission: 'payees:write',
    params: beneficiaryParams,
    body: enrollBody,
    responses: {
      200: {
        means: 'The provider accepted the bank account: enrollment_status is verified.',
        body: enrollEnvelope,
      },
      202: {
        means:
          'The provider has not answered yet: enrollment_status is pending. Read the beneficiary until it changes.',
        body: enrollEnvelope,
      },
    },
    errors: [
      'not_found',
      'BENEFICIARY_ARCHIVED',
      'BENEFICIARY_NOT_COMPLIANT',
      'NO_PAYOUT_USABLE_BANK_ACCOUNT',
      'BANK_ACCOUNT_AMBIGUOUS',
      'BANK_ACCOUNT_NOT_FOUND',
      'BANK_ACCOUNT_BENEFICIARY_MISMATCH',
      'BANK_ACCOUNT_NOT_PAYOUT_USABLE',
      'PAYOUT_ROUTE_MISSING',
      'BENEFICIARY_ENROLLMENT_FAILED',
      'unprocessable_entity',
      'conflict',
    ],
    document: `
      mutation EnrollBeneficiary($id: ID!, $bankAccountId: ID) {
        enrolled: beneficiaryEnroll(id: $id, bankAccountId: $bankAccountId) {
          pending
          beneficiary { ...BeneficiaryFields }
          bank_account: bankAccount { ...BankAccountFields }
        }
      }
      ${beneficiaryFields} ${bankAccountFields}`,
    variables: ({ params, body }) => ({ ...params, bankAccountId: body?.bank_account_id ?? null }),
    answer: (data) => {
      const { pending, ...body } = data['enrolled'] as { pending: boolean };
      return { status: pending ? 202 : 200, body };
    },
  }),
];
