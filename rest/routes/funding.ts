import { DomainError } from '../../src/errors/domain-error.ts';
import { toCamelCase } from '../http/case.ts';
import { withIntegers } from '../http/exact-integer.ts';
import { booksEnvelope, fundingAccountEnvelope, sandboxBalanceBody } from '../contracts/funding.ts';
import { ledgerEntryList, ledgerEntryListQuery } from '../contracts/ledger.ts';
import { route, type RouteAnswer } from '../route/route.ts';
import { listAnswer, listVariables } from './lists.ts';

const balanceFields = `
  fragment BalanceFields on LedgerBalance {
    currency posted_minor: postedMinor held_minor: heldMinor available_minor: availableMinor
    in_transit_minor: inTransitMinor paid_minor: paidMinor fees_minor: feesMinor
    shortfall_minor: shortfallMinor
  }`;

const accountFields = `${balanceFields}
  fragment FundingAccountFields on FundingAccount {
    id environment currency status mode available_balance_minor: availableBalanceMinor
    posted_minor: postedMinor held_minor: heldMinor in_transit_minor: inTransitMinor
    balances { ...BalanceFields }
    as_of: asOf created_at: createdAt
  }`;

function accountAnswer(data: Readonly<Record<string, unknown>>): RouteAnswer {
  const account = data['funding_account'] as { readonly balances: readonly object[] }; // the fragment selects them
  const balances = account.balances.map(withIntegers);
  return { status: 200, body: { funding_account: { ...withIntegers(account), balances } } };
}

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
      return accountAnswer(data);
    },
  }),
  route({
    method: 'get',
    path: '/v1/funding/books',
    operationId: 'getBooks',
    summary: 'Read what the books say in each currency',
    details:
      'Also where no funding account is provisioned, as with a business that pays through its own bank.',
    tag: 'Funding',
    permission: 'read',
    responses: {
      200: { means: 'The mode, and a line for each currency.', body: booksEnvelope },
    },
    errors: [],
    document: `
      query GetBooks { books { mode balances { ...BalanceFields } } }
      ${balanceFields}`,
    variables: () => ({}),
    answer: (data) => {
      const books = data['books'] as { readonly balances: readonly object[] }; // the document selects them
      return {
        status: 200,
        body: { books: { ...books, balances: books.balances.map(withIntegers) } },
      };
    },
  }),
  route({
    method: 'get',
    path: '/v1/funding/entries',
    operationId: 'listLedgerEntries',
    summary: 'List the entries of the books, newest first',
    details:
      'An entry moves an amount from one account to another and is never changed; `hold` and `release` reserve it only. Filters combine freely.',
    tag: 'Funding',
    permission: 'read',
    query: ledgerEntryListQuery,
    responses: {
      200: { means: 'One page of the entries, newest first.', body: ledgerEntryList },
    },
    errors: [],
    document: `
      query ListLedgerEntries($first: Int, $after: String, $filter: LedgerEntryFilter) {
        ledgerEntries(first: $first, after: $after, filter: $filter) {
          edges {
            node {
              id kind currency amount_minor: amountMinor
              debit_account: debitAccount credit_account: creditAccount payout_id: payoutId
              transition { seq from_state: fromState to_state: toState }
              source recorded_at: recordedAt
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }`,
    variables: ({ query }) => listVariables(query),
    answer: (data) => listAnswer('entries', data['ledgerEntries']),
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
    answer: accountAnswer,
  }),
];
