import { graphql } from '../../app/graphql.ts';

export const deadLettersDocument = graphql(`
  query OperatorDeadLetters($first: Int, $after: String, $kind: OperatorDeadLetterKind!) {
    operatorDeadLetters(first: $first, after: $after, kind: $kind) {
      edges {
        node {
          kind
          subjectId
          businessId
          companyName
          environment
          what
          since
          error
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

export const mailResendDocument = graphql(`
  mutation OperatorMailResend($requestId: ID!, $reason: String!) {
    operatorMailResend(requestId: $requestId, reason: $reason) {
      requestId
    }
  }
`);

export const replayDocument = graphql(`
  mutation OperatorDeliveriesReplay(
    $businessId: ID!
    $environment: Environment!
    $createdSince: DateTime!
    $createdBefore: DateTime!
    $reason: String!
  ) {
    operatorDeliveriesReplay(
      businessId: $businessId
      environment: $environment
      createdSince: $createdSince
      createdBefore: $createdBefore
      reason: $reason
    ) {
      count
      remaining
    }
  }
`);
