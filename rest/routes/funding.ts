import { DomainError } from '../../src/errors/domain-error.ts';
import { toCamelCase } from '../http/case.ts';
import { fundingAccountEnvelope, sandboxBalanceBody } from '../contracts/funding.ts';
import { route } from '../route/route.ts';

const accountFields = `
  fragment FundingAccountFields on FundingAccount {
    id environment currency status available_balance_minor: availableBalanceMinor
    as_of: asOf created_at: createdAt
  }`;

export const fundingRoutes = [
  route({
    method: 'get',
    path: '/v1/funding/account',
    operationId: 'getFundingAccount',
    summary: 'Read the funding account and its reported balance',
    tag: 'Funding',
    permission: 'read',
    responses: {
      200: {
        means: 'The funding account with the balance that was last reported.',
        body: fundingAccountEnvelope,
      },
    },
    errors: ['FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED'],
    document: `
      query GetFundingAccount { funding_account: fundingAccount { ...FundingAccountFields } }
      ${accountFields}`,
    variables: () => ({}),
    answer: (data) => {
      if (data['funding_account'] === null) {
        throw new DomainError('FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED');
      }
      return { status: 200, body: data };
    },
  }),
  route({
    method: 'post',
    path: '/v1/business/funding-account/sandbox-balance',
    operationId: 'setSandboxBalance',
    summary: "Set the sandbox wallet's balance",
    tag: 'Funding',
    permission: 'business:write',
    body: sandboxBalanceBody,
    responses: {
      200: { means: 'The sandbox wallet with its new balance.', body: fundingAccountEnvelope },
    },
    errors: [
      'SANDBOX_ONLY',
      'INVALID_MONEY',
      'FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED',
      'FUNDING_CURRENCY_MISMATCH',
    ],
    document: `
      mutation SetSandboxBalance($input: SandboxBalanceInput!) {
        funding_account: sandboxBalanceSet(input: $input) { ...FundingAccountFields }
      }
      ${accountFields}`,
    variables: ({ body }) => ({ input: toCamelCase(body) }),
    answer: (data) => ({ status: 200, body: data }),
  }),
];
