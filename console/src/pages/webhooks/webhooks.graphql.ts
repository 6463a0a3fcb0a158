import { graphql } from '../../app/graphql.ts';

export const subscriptionDocument = graphql(`
  query WebhookSubscription($from: String!, $to: String!) {
    webhookSubscription {
      id
      url
      pendingUrl
      enabled
      enabledEvents
      apiVersion
      createdAt
      updatedAt
    }
    figures(from: $from, to: $to) {
      deliveryHealth {
        pending
        delivered
        dead
        failingSince
        failures
        lastStatusCode
        lastError
      }
    }
  }
`);

export const deliveriesDocument = graphql(`
  query WebhookDeliveries(
    $first: Int
    $after: String
    $last: Int
    $before: String
    $filter: WebhookDeliveryFilter
  ) {
    webhookDeliveries(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      edges {
        node {
          id
          status
          attemptCount
          createdAt
          nextAttemptAt
          completedAt
          event {
            id
            type
            payoutId
          }
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

export const deliveryDocument = graphql(`
  query WebhookDelivery($id: ID!) {
    webhookDelivery(id: $id) {
      id
      status
      attemptCount
      createdAt
      nextAttemptAt
      completedAt
      event {
        id
        type
        occurredAt
        payoutId
        data
      }
      attempts {
        number
        startedAt
        latencyMs
        statusCode
        error
        answer
      }
    }
  }
`);

export const redeliverDocument = graphql(`
  mutation WebhookDeliveryRedeliver($id: ID!) {
    webhookDeliveryRedeliver(id: $id) {
      id
      status
    }
  }
`);

export const redeliverWindowDocument = graphql(`
  mutation WebhookDeliveriesRedeliver($input: WebhookDeliveriesRedeliverInput!) {
    webhookDeliveriesRedeliver(input: $input) {
      count
      remaining
      dryRun
    }
  }
`);

export const webhookTestDocument = graphql(`
  mutation WebhookTest {
    webhookTest {
      id
    }
  }
`);

export const upsertDocument = graphql(`
  mutation WebhookSubscriptionUpsert($input: WebhookSubscriptionUpsertInput!) {
    webhookSubscriptionUpsert(input: $input) {
      created
      secret
      subscription {
        id
      }
    }
  }
`);

export const updateDocument = graphql(`
  mutation WebhookSubscriptionUpdate($input: WebhookSubscriptionUpdateInput!) {
    webhookSubscriptionUpdate(input: $input) {
      id
      enabled
    }
  }
`);

export const deleteDocument = graphql(`
  mutation WebhookSubscriptionDelete {
    webhookSubscriptionDelete
  }
`);
