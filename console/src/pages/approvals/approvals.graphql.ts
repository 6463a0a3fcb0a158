import { graphql } from '../../app/graphql.ts';

export const approvalQueueDocument = graphql(`
  query ApprovalQueue($first: Int, $after: String, $last: Int, $before: String) {
    payouts(
      first: $first
      after: $after
      last: $last
      before: $before
      filter: { state: [pending_approval] }
      orderBy: { field: updated_at, direction: asc }
    ) {
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
          amountMinor
          currency
          beneficiaryId
          beneficiaryName
          purposeOfPayment
          externalRef
          createdAt
          updatedAt
          accountChanges
          createdBy {
            type
            you
            name
            member {
              email
              firstName
              lastName
            }
          }
          approval {
            permitted
            obstacles
            fourEyes
            createdByYou
          }
          destination {
            accountHolderName
            bankName
            country
            maskedAccount
            since
            changedAt
          }
          changesSinceCreation {
            kind
            at
            reason
            author {
              type
              you
              name
              member {
                email
                firstName
                lastName
              }
            }
          }
          similarPayouts {
            count
            sameAmount
          }
          failedBefore {
            id
            failureCode
            failureMessage
          }
        }
      }
    }
  }
`);

export const similarPayoutsDocument = graphql(`
  query SimilarPayouts($id: ID!) {
    payout(id: $id) {
      similarPayouts {
        nearest {
          sameAmount
          sameReference
          sameAccount
          payout {
            id
            state
            amountMinor
            currency
            externalRef
            createdAt
          }
        }
      }
    }
  }
`);

export const approveManyDocument = graphql(`
  mutation ApproveMany($ids: [ID!]!, $reasons: [DecisionReasonInput!]) {
    payoutBulkApprove(payoutIds: $ids, reasons: $reasons) {
      payoutId
      payout {
        id
        state
      }
      error {
        code
        message
      }
    }
  }
`);

export const rejectManyDocument = graphql(`
  mutation RejectMany($ids: [ID!]!, $reasons: [DecisionReasonInput!]) {
    payoutBulkReject(payoutIds: $ids, reasons: $reasons) {
      payoutId
      payout {
        id
        state
      }
      error {
        code
        message
      }
    }
  }
`);
