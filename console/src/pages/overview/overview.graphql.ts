import { graphql } from '../../app/graphql.ts';

export const overviewDocument = graphql(`
  query Overview($from: String!, $to: String!, $timeZone: String!) {
    figures(from: $from, to: $to, timeZone: $timeZone) {
      payoutsByState {
        state
        count
      }
    }
  }
`);
