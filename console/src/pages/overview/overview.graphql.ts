import { graphql } from '../../app/graphql.ts';

export const overviewDocument = graphql(`
  query Overview($from: String!, $to: String!, $timeZone: String!) {
    figures(from: $from, to: $to, timeZone: $timeZone) {
      payoutsByState {
        state
        count
      }
      payoutsByDay {
        day
        currency
        count
        amountMinor
      }
      failuresByCode {
        failureCode
        count
      }
      approvalQueue {
        fromMinutes
        toMinutes
        count
      }
      deliveryHealth {
        pending
        delivered
        dead
        canceled
        failingSince
        failures
        lastStatusCode
        lastError
      }
    }
    longestWait: payouts(
      first: 1
      filter: { state: [pending_approval] }
      orderBy: { field: updated_at, direction: asc }
    ) {
      edges {
        node {
          id
          updatedAt
        }
      }
    }
    books {
      mode
      balances {
        currency
        availableMinor
        heldMinor
        inTransitMinor
      }
    }
    fundingAccount {
      mode
      asOf
      currency
      availableBalanceMinor
      balances {
        currency
        availableMinor
        heldMinor
        inTransitMinor
      }
    }
  }
`);
