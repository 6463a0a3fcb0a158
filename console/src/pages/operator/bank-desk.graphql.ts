import { graphql } from '../../app/graphql.ts';

export const unmatchedLinesDocument = graphql(`
  query OperatorBankUnmatchedLines($first: Int, $after: String) {
    operatorBankUnmatchedLines(first: $first, after: $after) {
      edges {
        node {
          id: lineId
          businessId
          companyName
          environment
          connection
          direction
          amountMinor
          currency
          bookedOn
          doubt
          explanation
          matchable
          bankReference
          bankCode
          endToEndId
          traceNumber
          returnCode
          namedPayoutId
          sentMinor
          sentCurrency
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

export const missingDebitsDocument = graphql(`
  query OperatorBankMissingDebits($first: Int, $after: String) {
    operatorBankMissingDebits(first: $first, after: $after) {
      edges {
        node {
          id: payoutId
          payoutId
          businessId
          companyName
          environment
          connection
          batchId
          attemptId
          amountMinor
          currency
          executionDate
          endToEndId
          traceNumber
          resolvable
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

export const strayAnswersDocument = graphql(`
  query OperatorBankStrayAnswers($first: Int, $after: String) {
    operatorBankStrayAnswers(first: $first, after: $after) {
      edges {
        node {
          id: answerId
          businessId
          companyName
          environment
          connection
          fileName
          line
          said
          explanation
          originalMessageId
          originalBatchId
          endToEndId
          instructionId
          traceNumber
          amountMinor
          currency
          createdAt
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

export const unreadableFilesDocument = graphql(`
  query OperatorBankUnreadableFiles($first: Int, $after: String) {
    operatorBankUnreadableFiles(first: $first, after: $after) {
      edges {
        node {
          id: fileId
          businessId
          companyName
          environment
          connection
          name
          format
          sha256
          explanation
          problemPlace
          receivedAt
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

export const lineMatchDocument = graphql(`
  mutation BankLineMatch(
    $businessId: ID!
    $environment: Environment!
    $lineId: ID!
    $subjectId: ID!
    $reason: String!
  ) {
    operatorBankLineMatch(
      businessId: $businessId
      environment: $environment
      lineId: $lineId
      subjectId: $subjectId
      reason: $reason
    ) {
      lineId
    }
  }
`);

export const lineExplainDocument = graphql(`
  mutation BankLineExplain(
    $businessId: ID!
    $environment: Environment!
    $lineId: ID!
    $explanation: String!
    $reason: String!
  ) {
    operatorBankLineExplain(
      businessId: $businessId
      environment: $environment
      lineId: $lineId
      explanation: $explanation
      reason: $reason
    ) {
      lineId
    }
  }
`);

export const answerExplainDocument = graphql(`
  mutation BankAnswerExplain(
    $businessId: ID!
    $environment: Environment!
    $answerId: ID!
    $explanation: String!
    $reason: String!
  ) {
    operatorBankAnswerExplain(
      businessId: $businessId
      environment: $environment
      answerId: $answerId
      explanation: $explanation
      reason: $reason
    ) {
      answerId
    }
  }
`);

export const fileDismissDocument = graphql(`
  mutation BankFileDismiss(
    $businessId: ID!
    $environment: Environment!
    $fileId: ID!
    $explanation: String!
    $reason: String!
  ) {
    operatorBankFileDismiss(
      businessId: $businessId
      environment: $environment
      fileId: $fileId
      explanation: $explanation
      reason: $reason
    ) {
      fileId
    }
  }
`);

export const fileReadAgainDocument = graphql(`
  mutation BankFileReadAgain(
    $businessId: ID!
    $environment: Environment!
    $fileId: ID!
    $reason: String!
  ) {
    operatorBankFileReadAgain(
      businessId: $businessId
      environment: $environment
      fileId: $fileId
      reason: $reason
    ) {
      fileId
    }
  }
`);
