import { graphql } from '../../app/graphql.ts';

export const operatorPayoutDocument = graphql(`
  query OperatorPayoutPage($id: ID!) {
    operatorPayout(id: $id) {
      payoutId
      businessId
      companyName
      environment
      state
      amountMinor
      currency
      createdAt
      updatedAt
      beneficiaryId
      complianceStatus
      bankAccountId
      accountCountry
      provider
      providerPayoutId
      connectionId
      scheme
      waitsForFileSince
      failureCode
      replacesPayoutId
      replacedBy
      takenBy
      permittedActs
      standstill {
        since
        reason
        explanation
        nextStep
        lastError
      }
      attempts {
        attemptId
        number
        provider
        status
        needsOperator
        calls
        failureCode
        keyExpiresAt
        calledAt
        lookedUpAt
        bankPlace {
          batchId
          position
          endToEndId
          fileName
          status
          executionDate
          problem
          nextStep
        }
      }
      contradictions {
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
      resolution {
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
      timeline {
        at
        what
        id
        detail
        byWhom
      }
    }
    operatorJobs(first: 25, subjectId: $id) {
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
    }
    operatorActions(first: 25, subjectId: $id) {
      edges {
        node {
          id
          at
          person
          action
          reason
          outcome
        }
      }
    }
  }
`);

export const jobScheduleDocument = graphql(`
  mutation OperatorJobSchedule($task: String!, $subjectId: ID, $reason: String!) {
    operatorJobSchedule(task: $task, subjectId: $subjectId, reason: $reason) {
      id
      note
    }
  }
`);

export const findDocument = graphql(`
  query OperatorFind($what: String!) {
    operatorFind(what: $what) {
      kind
      id
      state
      payoutId
      of {
        companyName
        environment
      }
    }
  }
`);
