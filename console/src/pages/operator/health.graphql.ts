import { graphql } from '../../app/graphql.ts';

export const healthDocument = graphql(`
  query OperatorHealth {
    operatorProviders {
      provider
      environment
      attempts
      submitted
      rejected
      unclear
      unknownNow
      needsOperator
      p95Ms
      lastEventAt
      eventsWaiting
      circuits {
        workerId
        state
      }
    }
    operatorWorkers {
      id
      alive
      jobsHeld
      hostname
      startedAt
    }
    operatorEndpoints(first: 25) {
      edges {
        node {
          subscriptionId
          companyName
          environment
          failingSince
          what
        }
      }
    }
  }
`);

export const logDocument = graphql(`
  query OperatorActions($first: Int, $after: String, $subjectId: ID) {
    operatorActions(first: $first, after: $after, subjectId: $subjectId) {
      edges {
        node {
          id
          at
          person
          action
          subjectId
          reason
          detail
          affected
          outcome
          of {
            companyName
            environment
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
