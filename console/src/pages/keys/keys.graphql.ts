import { graphql } from '../../app/graphql.ts';

export const keysDocument = graphql(`
  query ApiKeys($first: Int, $after: String, $last: Int, $before: String) {
    apiKeys(first: $first, after: $after, last: $last, before: $before) {
      edges {
        node {
          id
          name
          role
          environment
          createdAt
          lastUsedAt
          revokedAt
          heldAt
          membershipId
        }
      }
      pageInfo {
        hasNextPage
        endCursor
        hasPreviousPage
        startCursor
      }
    }
  }
`);

export const keyCreateDocument = graphql(`
  mutation ApiKeyCreate($input: ApiKeyCreateInput!) {
    apiKeyCreate(input: $input) {
      key
      apiKey {
        id
      }
    }
  }
`);

export const keyRevokeDocument = graphql(`
  mutation ApiKeyRevoke($id: ID!) {
    apiKeyRevoke(id: $id) {
      id
      revokedAt
    }
  }
`);

export const keyConfirmDocument = graphql(`
  mutation ApiKeyConfirm($id: ID!) {
    apiKeyConfirm(id: $id) {
      id
      heldAt
    }
  }
`);
