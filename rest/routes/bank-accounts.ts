import { DomainError } from '../../src/errors/domain-error.ts';
import { toCamelCase } from '../http/case.ts';
import {
  bankAccountBody,
  bankAccountCreateBody,
  bankAccountEnvelope,
  bankAccountList,
  bankAccountPage,
  bankAccountPageQuery,
  bankAccountParams,
} from '../contracts/bank-accounts.ts';
import { beneficiaryParams } from '../contracts/beneficiaries.ts';
import { emptyBody } from '../contracts/common.ts';
import { selectionOf } from '../contracts/declared.ts';
import { shownFields } from '../../src/domain/bank-account/fields.ts';
import { route } from '../route/route.ts';
import { listAnswer, listVariables, replayHeaders } from './lists.ts';

/** The aliases are the mapping: the operation's data has the shape that REST answers. */
const selection = selectionOf(shownFields, {
  unusableReason: 'code message',
  nameCheck: `id result effect name_on_file: nameOnFile source code checked_at: checkedAt
      confirmed_at: confirmedAt confirmed_reason: confirmedReason`,
});
export const bankAccountFields = `fragment BankAccountFields on BankAccount { id ${selection} }`;

const writeErrors = [
  'not_found',
  'BENEFICIARY_ARCHIVED',
  'BANK_ACCOUNT_MISSING_ROUTING',
  'BANK_ACCOUNT_VALIDATION_FAILED',
  'EXTERNAL_REF_ALREADY_EXISTS',
] as const;

export const bankAccountRoutes = [
  route({
    method: 'post',
    path: '/v1/beneficiaries/:id/bank-accounts',
    operationId: 'registerBankAccount',
    summary: 'Register a bank account, which is verified at once if its owner is compliant',
    tag: 'Bank accounts',
    permission: 'payees:write',
    params: beneficiaryParams,
    body: bankAccountCreateBody,
    idempotencyKey: 'of_body',
    responses: {
      201: {
        means:
          'The bank account is registered, its identifiers masked. payout_usable says whether it can be paid.',
        body: bankAccountEnvelope,
      },
      200: {
        means:
          'The beneficiary has this account already: the same IBAN, or the same number at the same bank, in the same currency. It stays as it is, also where the holder or other details differ. Or the same request registered it before, under the same idempotency key.',
        body: bankAccountEnvelope,
        headers: ['Idempotent-Replayed'],
      },
    },
    errors: [...writeErrors, 'IDEMPOTENCY_KEY_REUSED', 'unprocessable_entity'],
    document: `
      mutation RegisterBankAccount($id: ID!, $input: BankAccountInput!, $idempotencyKey: String) {
        bank_account: bankAccountRegister(
          beneficiaryId: $id, input: $input, idempotencyKey: $idempotencyKey
        ) {
          registeredBefore ...BankAccountFields
        }
      }
      ${bankAccountFields}`,
    variables: ({ params, body: { idempotency_key: idempotencyKey, ...details } }) => ({
      ...params,
      input: toCamelCase(details),
      idempotencyKey,
    }),
    answer: (data) => {
      const { registeredBefore, ...account } = data['bank_account'] as {
        readonly registeredBefore: boolean;
      };
      const body = { bank_account: account };
      return registeredBefore
        ? { status: 200, body, headers: replayHeaders }
        : { status: 201, body };
    },
  }),
  route({
    method: 'get',
    path: '/v1/beneficiaries/:id/bank-accounts',
    operationId: 'listBankAccounts',
    summary: "List a beneficiary's bank accounts, oldest first, identifiers masked",
    tag: 'Bank accounts',
    permission: 'read',
    params: beneficiaryParams,
    responses: {
      200: {
        means: 'All bank accounts of the beneficiary, oldest first, identifiers masked.',
        body: bankAccountList,
      },
    },
    errors: ['not_found'],
    document: `
      query ListBankAccounts($id: ID!) {
        beneficiary(id: $id) { bank_accounts: bankAccounts { ...BankAccountFields } }
      }
      ${bankAccountFields}`,
    variables: ({ params }) => ({ ...params }),
    answer: (data) => {
      if (data['beneficiary'] === null) throw new DomainError('not_found');
      return { status: 200, body: data['beneficiary'] };
    },
  }),
  route({
    method: 'get',
    path: '/v1/bank-accounts',
    operationId: 'listAllBankAccounts',
    summary: 'List the bank accounts of all beneficiaries, identifiers masked',
    tag: 'Bank accounts',
    details: 'With `updatedSince` it is a feed of changes for pollers: see Pagination.',
    permission: 'read',
    query: bankAccountPageQuery,
    responses: {
      200: {
        means:
          'One page of the bank accounts, those of archived beneficiaries included: newest first, or with updatedSince the oldest change first.',
        body: bankAccountPage,
      },
    },
    errors: [],
    document: `
      query ListAllBankAccounts($first: Int, $after: String, $filter: BankAccountFilter) {
        bankAccounts(first: $first, after: $after, filter: $filter) {
          edges { node { ...BankAccountFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ${bankAccountFields}`,
    variables: ({ query }) => listVariables(query),
    answer: (data) => listAnswer('bank_accounts', data['bankAccounts']),
  }),
  route({
    method: 'put',
    path: '/v1/beneficiaries/:id/bank-accounts/:accountId',
    operationId: 'updateBankAccount',
    summary: 'Replace the details of a bank account',
    details:
      'The details are replaced as a whole. `external_ref` and `metadata` stay where they are absent, and null clears them; to change only these, send the details as they are.',
    tag: 'Bank accounts',
    permission: 'payees:write',
    params: bankAccountParams,
    body: bankAccountBody,
    responses: {
      200: {
        means:
          'The bank account with its new details, checked again; payout_usable says whether it can be paid.',
        body: bankAccountEnvelope,
      },
    },
    errors: [...writeErrors, 'BANK_ACCOUNT_NOT_FOUND', 'conflict'],
    document: `
      mutation UpdateBankAccount($id: ID!, $accountId: ID!, $input: BankAccountInput!) {
        bank_account: bankAccountUpdate(beneficiaryId: $id, id: $accountId, input: $input) {
          ...BankAccountFields
        }
      }
      ${bankAccountFields}`,
    variables: ({ params, body }) => ({ ...params, input: toCamelCase(body) }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'post',
    path: '/v1/beneficiaries/:id/bank-accounts/:accountId/verify',
    operationId: 'verifyBankAccount',
    summary: 'Verify a bank account that is pending although its owner is compliant',
    tag: 'Bank accounts',
    permission: 'payees:write',
    params: bankAccountParams,
    body: emptyBody,
    responses: {
      200: { means: 'The bank account, which is verified.', body: bankAccountEnvelope },
    },
    errors: [
      'not_found',
      'BENEFICIARY_ARCHIVED',
      'BENEFICIARY_NOT_COMPLIANT',
      'BANK_ACCOUNT_NOT_FOUND',
      'BANK_ACCOUNT_NOT_PENDING',
      'BANK_ACCOUNT_NOT_VALIDATED',
      'BANK_ACCOUNT_RAIL_REJECTED',
      'conflict',
    ],
    document: `
      mutation VerifyBankAccount($id: ID!, $accountId: ID!) {
        bank_account: bankAccountVerify(beneficiaryId: $id, id: $accountId) { ...BankAccountFields }
      }
      ${bankAccountFields}`,
    variables: ({ params }) => ({ ...params }),
    answer: (data) => ({ status: 200, body: data }),
  }),
];
