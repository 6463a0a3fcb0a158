import { graphql } from '../../app/graphql.ts';

export const bankConnectionsDocument = graphql(`
  query OperatorBankConnections($first: Int, $after: String) {
    operatorBankConnections(first: $first, after: $after) {
      edges {
        node {
          id: connectionId
          businessId
          companyName
          environment
          name
          status
          transport
          accountCurrency
          accountLast4
          hasCredentials
          fetchedAt
          fetchProblem
          fetchProblemSince
          closesAt
          waiting
          oldestWaiting
          fileProblem
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const bankBatchesDocument = graphql(`
  query OperatorBankBatches($first: Int, $after: String) {
    operatorBankBatches(first: $first, after: $after) {
      edges {
        node {
          id: batchId
          businessId
          companyName
          environment
          connection
          status
          fileName
          sha256
          currency
          paymentCount
          controlSumMinor
          executionDate
          takenAt
          problem
          needsOperator
          byHand
          downloadedBy
          downloadedByYou
          resendAskedBy
          resendAskedByYou
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

export const batchesCloseDocument = graphql(`
  mutation BankBatchesClose(
    $businessId: ID!
    $environment: Environment!
    $connectionId: ID!
    $reason: String!
  ) {
    operatorBankBatchesClose(
      businessId: $businessId
      environment: $environment
      connectionId: $connectionId
      reason: $reason
    ) {
      connectionId
    }
  }
`);

export const batchDownloadDocument = graphql(`
  mutation BankBatchDownload(
    $businessId: ID!
    $environment: Environment!
    $batchId: ID!
    $reason: String!
  ) {
    operatorBankBatchDownload(
      businessId: $businessId
      environment: $environment
      batchId: $batchId
      reason: $reason
    ) {
      batchId
      fileName
      sha256
      contentBase64
    }
  }
`);

export const batchUploadedDocument = graphql(`
  mutation BankBatchUploaded(
    $businessId: ID!
    $environment: Environment!
    $batchId: ID!
    $reason: String!
  ) {
    operatorBankBatchUploaded(
      businessId: $businessId
      environment: $environment
      batchId: $batchId
      reason: $reason
    ) {
      batchId
      status
    }
  }
`);

export const batchResolveDocument = graphql(`
  mutation BankBatchResolve(
    $businessId: ID!
    $environment: Environment!
    $batchId: ID!
    $outcome: BankBatchOutcome!
    $evidence: String!
    $reason: String!
  ) {
    operatorBankBatchResolve(
      businessId: $businessId
      environment: $environment
      batchId: $batchId
      outcome: $outcome
      evidence: $evidence
      reason: $reason
    ) {
      batchId
      status
      awaitsSecondPerson
    }
  }
`);

export const bankBatchDocument = graphql(`
  query OperatorBankBatch($batchId: ID!) {
    operatorBankBatch(batchId: $batchId) {
      id: batchId
      businessId
      companyName
      environment
      connectionId
      connection
      scheme
      status
      fileName
      sha256
      sizeBytes
      messageId
      currency
      paymentCount
      controlSumMinor
      executionDate
      closedBy
      closedAt
      sendingAt
      sentAt
      takenAt
      problem
      needsOperator
      byHand
      downloadedBy
      downloadedByYou
      uploadedBy
      resendAskedBy
      resendAskedByYou
      takenBy
    }
  }
`);

export const bankPaymentsDocument = graphql(`
  query OperatorBankPayments($batchId: ID!, $first: Int, $after: String) {
    operatorBankPayments(batchId: $batchId, first: $first, after: $after) {
      edges {
        node {
          id: attemptId
          position
          payoutId
          traceNumber
          amountMinor
          currency
          state
          failureMessage
          acknowledgedAt
          debitedOn
          returnedOn
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);
