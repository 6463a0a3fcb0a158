import { graphql } from '../../app/graphql.ts';

export const payoutListDocument = graphql(`
  query PayoutList(
    $first: Int
    $after: String
    $last: Int
    $before: String
    $filter: PayoutFilter
  ) {
    payouts(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      totalCountIsExact
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      edges {
        node {
          id
          state
          amountMinor
          currency
          beneficiaryId
          beneficiaryName
          externalRef
          purposeOfPayment
          provider
          failureCode
          createdAt
          updatedAt
          settledAt
          destination {
            maskedAccount
          }
        }
      }
    }
  }
`);

export const payoutSearchDocument = graphql(`
  query PayoutSearch($text: String!) {
    payoutSearch(text: $text, first: 10) {
      kind
      more
      payouts {
        id
        state
        amountMinor
        currency
        beneficiaryId
        beneficiaryName
        externalRef
        purposeOfPayment
        provider
        failureCode
        createdAt
        updatedAt
        settledAt
        destination {
          maskedAccount
        }
      }
    }
  }
`);
