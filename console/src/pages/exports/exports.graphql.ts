import { graphql } from '../../app/graphql.ts';

export const exportsDocument = graphql(`
  query Exports($first: Int, $after: String, $last: Int, $before: String) {
    exports(first: $first, after: $after, last: $last, before: $before) {
      edges {
        node {
          id
          kind
          status
          filename
          rowCount
          byteCount
          createdAt
          completedAt
          expiresAt
          failureMessage
          scheduleId
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

export const exportCreateDocument = graphql(`
  mutation ExportCreate($input: ExportCreateInput!) {
    exportCreate(input: $input) {
      id
    }
  }
`);
