import { graphql } from '../../app/graphql.ts';

export const tasksDocument = graphql(`
  query OperatorTasks {
    operatorTasks {
      name
      description
      pausedAt
      pausedBy
      pauseReason
      ready
      oldestReadySeconds
      scheduled
      retrying
      running
      dead
      failedLately
    }
  }
`);

export const jobsDocument = graphql(`
  query OperatorJobs(
    $first: Int
    $after: String
    $task: String
    $state: OperatorJobState
    $subjectId: ID
  ) {
    operatorJobs(first: $first, after: $after, task: $task, state: $state, subjectId: $subjectId) {
      edges {
        node {
          id
          task
          subjectId
          state
          attempts
          maxAttempts
          runAt
          lastError
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

export const taskPauseDocument = graphql(`
  mutation OperatorTaskPause($task: String!, $reason: String!) {
    operatorTaskPause(task: $task, reason: $reason) {
      name
      note
    }
  }
`);

export const taskResumeDocument = graphql(`
  mutation OperatorTaskResume($task: String!, $reason: String!) {
    operatorTaskResume(task: $task, reason: $reason) {
      name
      note
    }
  }
`);

export const jobRetryDocument = graphql(`
  mutation OperatorJobRetry($id: ID!, $reason: String!) {
    operatorJobRetry(id: $id, reason: $reason) {
      id
      note
    }
  }
`);
