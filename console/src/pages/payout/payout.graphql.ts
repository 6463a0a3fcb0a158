import { graphql } from '../../app/graphql.ts';

export const payoutDocument = graphql(`
  query PayoutPage($id: ID!) {
    payout(id: $id) {
      id
      state
      amountMinor
      currency
      beneficiaryId
      beneficiaryName
      bankAccountId
      purposeOfPayment
      externalRef
      idempotencyKey
      metadata
      provider
      providerPayoutId
      railRef
      estimatedArrivalAt
      failureCode
      failureMessage
      createdAt
      updatedAt
      permittedActions
      waitsFor
      waitsSince
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
      }
      failedBefore {
        id
        failureCode
        failureMessage
      }
      destination {
        accountHolderName
        bankName
        country
        maskedAccount
        since
      }
      replacedBy {
        id
      }
      replacementChain {
        id
        state
        amountMinor
        currency
        createdAt
        failureCode
      }
      decisions(first: 25) {
        edges {
          node {
            id
            status
            reasons
            submittedAt
          }
        }
      }
      timeline(first: 50) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            at
            kind
            subject
            summary
            amountMinor
            currency
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
        }
      }
    }
  }
`);

export const payoutTimelineDocument = graphql(`
  query PayoutTimeline($id: ID!, $after: String) {
    payout(id: $id) {
      timeline(first: 50, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            at
            kind
            subject
            summary
            amountMinor
            currency
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
        }
      }
    }
  }
`);

export const payoutCancelDocument = graphql(`
  mutation PayoutCancel($id: ID!) {
    payoutCancel(payoutId: $id) {
      id
      state
    }
  }
`);

export const payoutApproveDocument = graphql(`
  mutation PayoutApprove($id: ID!, $reasons: [DecisionReasonInput!]) {
    payoutApprove(payoutId: $id, reasons: $reasons) {
      payout {
        id
        state
      }
    }
  }
`);

export const payoutRejectDocument = graphql(`
  mutation PayoutReject($id: ID!, $reasons: [DecisionReasonInput!]) {
    payoutReject(payoutId: $id, reasons: $reasons) {
      payout {
        id
        state
      }
    }
  }
`);

export const payoutSimulateDocument = graphql(`
  mutation PayoutSimulate($id: ID!, $event: SimulatedEvent!) {
    payoutSimulate(payoutId: $id, event: $event) {
      id
      state
    }
  }
`);
