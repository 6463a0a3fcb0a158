import { graphql } from '../../app/graphql.ts';

export const businessesDocument = graphql(`
  query OperatorBusinesses(
    $first: Int
    $after: String
    $find: String
    $profileStatus: ProfileStatus
  ) {
    operatorBusinesses(first: $first, after: $after, find: $find, profileStatus: $profileStatus) {
      edges {
        node {
          id
          companyName
          emailDomain
          registrationProvenAt
          createdAt
          profile {
            legalName
            registrationNumber
            country
            website
            industry
            profileStatus
            profileSubmittedAt
          }
          members {
            id
            role
            acceptedAt
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const profileAcceptDocument = graphql(`
  mutation OperatorProfileAccept($businessId: ID!, $submittedAt: DateTime, $reason: String!) {
    operatorProfileAccept(businessId: $businessId, submittedAt: $submittedAt, reason: $reason) {
      id
    }
  }
`);
