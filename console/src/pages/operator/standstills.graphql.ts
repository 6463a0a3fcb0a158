import { graphql } from '../../app/graphql.ts';

export const stuckDocument = graphql(`
  query OperatorStuckPayouts($first: Int, $after: String) {
    operatorStuckPayouts(first: $first, after: $after) {
      edges {
        node {
          payoutId
          businessId
          companyName
          environment
          state
          since
          reason
          explanation
          nextStep
          provider
          lastError
          amountMinor
          currency
          takenBy
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const openDocument = graphql(`
  query OperatorOpenQuestions {
    operatorContradictions(first: 25) {
      edges {
        node {
          contradictionId
          businessId
          companyName
          environment
          payoutId
          amountMinor
          currency
          subjectId
          provider
          kind
          said
          expected
          noticedAt
        }
      }
    }
    operatorProposedChanges(first: 25) {
      edges {
        node {
          changeId
          businessId
          companyName
          environment
          kind
          subjectId
          shown
          digest
          reason
          proposedByPerson
          proposedByYou
          proposedAt
          expiresAt
        }
      }
    }
    operatorResolutions(first: 25) {
      edges {
        node {
          orderId
          businessId
          companyName
          environment
          payoutId
          outcome
          evidence
          reason
          orderedBy
          orderedByYou
          orderedAt
        }
      }
    }
  }
`);

export const lookUpDocument = graphql(`
  mutation OperatorPayoutLookUp(
    $businessId: ID!
    $environment: Environment!
    $payoutId: ID!
    $reason: String!
  ) {
    operatorPayoutLookUp(
      businessId: $businessId
      environment: $environment
      payoutId: $payoutId
      reason: $reason
    ) {
      payoutId
      outcome
    }
  }
`);

export const resolveDocument = graphql(`
  mutation OperatorPayoutResolve(
    $businessId: ID!
    $environment: Environment!
    $payoutId: ID!
    $outcome: PayoutResolution!
    $providerPayoutId: ID
    $evidence: String!
    $reason: String!
  ) {
    operatorPayoutResolve(
      businessId: $businessId
      environment: $environment
      payoutId: $payoutId
      outcome: $outcome
      providerPayoutId: $providerPayoutId
      evidence: $evidence
      reason: $reason
    ) {
      payoutId
      outcome
    }
  }
`);

export const answerDocument = graphql(`
  mutation OperatorPayoutResolutionAnswer(
    $businessId: ID!
    $environment: Environment!
    $orderId: ID!
    $answer: PayoutResolutionAnswer!
    $reason: String!
  ) {
    operatorPayoutResolutionAnswer(
      businessId: $businessId
      environment: $environment
      orderId: $orderId
      answer: $answer
      reason: $reason
    ) {
      payoutId
      outcome
    }
  }
`);

export const examineDocument = graphql(`
  mutation OperatorContradictionExamine(
    $businessId: ID!
    $environment: Environment!
    $contradictionId: ID!
    $finding: ContradictionFinding!
    $evidence: String!
    $reason: String!
  ) {
    operatorContradictionExamine(
      businessId: $businessId
      environment: $environment
      contradictionId: $contradictionId
      finding: $finding
      evidence: $evidence
      reason: $reason
    ) {
      contradictionId
      leftOpen
    }
  }
`);

export const answerChangeDocument = graphql(`
  mutation OperatorChangeAnswer(
    $businessId: ID!
    $changeId: ID!
    $digest: String!
    $answer: OperatorChangeAnswer!
    $reason: String!
  ) {
    operatorChangeAnswer(
      businessId: $businessId
      changeId: $changeId
      digest: $digest
      answer: $answer
      reason: $reason
    ) {
      changeId
      status
      issuedKey {
        key
      }
    }
  }
`);
