import { DomainError } from '../../src/errors/domain-error.ts';
import { toCamelCase } from '../http/case.ts';
import { emptyBody } from '../contracts/common.ts';
import {
  deliveryDetailEnvelope,
  deliveryEnvelope,
  deliveryList,
  deliveryListQuery,
  deliveryParams,
  redeliveryBody,
  redeliveryEnvelope,
  registrationEnvelope,
  subscriptionBody,
  subscriptionEnvelope,
  subscriptionPatch,
} from '../contracts/webhooks.ts';
import { route } from '../route/route.ts';
import { listAnswer, listVariables } from './lists.ts';

const subscriptionFields = `
  fragment SubscriptionFields on WebhookSubscription {
    id environment url pending_url: pendingUrl enabled_events: enabledEvents enabled
    api_version: apiVersion created_at: createdAt updated_at: updatedAt
  }`;

const deliveryFields = `
  fragment DeliveryFields on WebhookDelivery {
    id event { event_id: id event_type: type payout_id: payoutId subject_id: subjectId }
    subscription_id: subscriptionId status attempt_count: attemptCount
    next_attempt_at: nextAttemptAt created_at: createdAt completed_at: completedAt
  }`;

/** A delivery names its event in its own fields. */
function deliveryBody(data: unknown): object {
  const { id, event, ...rest } = data as { id: string; event: object }; // the fragment selects them
  return { id, ...event, ...rest };
}

export const webhookRoutes = [
  route({
    method: 'post',
    path: '/v1/webhook-subscriptions',
    operationId: 'registerWebhookSubscription',
    summary: 'Register the webhook endpoint, or replace it and rotate its secret',
    details:
      'There is one endpoint for each business and environment. Registering it again replaces URL and event types and rotates the secret at once; `enabled` and `api_version` stay. In production another URL waits until a second owner or admin sends it too, where the business has one, and the secret with it: `pending_url` shows it. The event types change at once.',
    tag: 'Webhooks',
    permission: 'webhooks:write',
    body: subscriptionBody,
    responses: {
      200: {
        means:
          'The endpoint is replaced and its secret rotated: the old secret signs nothing more. The new one is shown only here.',
        body: registrationEnvelope,
      },
      201: {
        means: 'The endpoint is registered. Its secret is shown only here.',
        body: registrationEnvelope,
      },
    },
    errors: ['conflict'],
    document: `
      mutation RegisterWebhookSubscription($input: WebhookSubscriptionUpsertInput!) {
        webhookSubscriptionUpsert(input: $input) {
          created subscription { ...SubscriptionFields }
          secret standard_webhooks_secret: standardWebhooksSecret
        }
      }
      ${subscriptionFields}`,
    variables: ({ body }) => ({ input: toCamelCase(body) }),
    answer: (data) => {
      const { created, ...body } = data['webhookSubscriptionUpsert'] as { created: boolean };
      return { status: created ? 201 : 200, body };
    },
  }),
  route({
    method: 'get',
    path: '/v1/webhook-subscriptions',
    operationId: 'getWebhookSubscription',
    summary: 'Read the webhook endpoint',
    tag: 'Webhooks',
    permission: 'read',
    responses: {
      200: { means: 'The endpoint, without its secret.', body: subscriptionEnvelope },
    },
    errors: ['not_found'],
    document: `
      query GetWebhookSubscription { subscription: webhookSubscription { ...SubscriptionFields } }
      ${subscriptionFields}`,
    variables: () => ({}),
    answer: (data) => {
      if (data['subscription'] === null) throw new DomainError('not_found');
      return { status: 200, body: data };
    },
  }),
  route({
    method: 'patch',
    path: '/v1/webhook-subscriptions',
    operationId: 'updateWebhookSubscription',
    summary: 'Change the webhook endpoint without rotating its secret',
    tag: 'Webhooks',
    details:
      'In production another URL waits until a second owner or admin sends it too, where the business has one: `pending_url` shows it, and events go to `url` until then. Sending the present `url` takes it back.',
    permission: 'webhooks:write',
    body: subscriptionPatch,
    responses: {
      200: {
        means: 'The endpoint after the change; its secret stays.',
        body: subscriptionEnvelope,
      },
    },
    errors: ['not_found'],
    document: `
      mutation UpdateWebhookSubscription($input: WebhookSubscriptionUpdateInput!) {
        subscription: webhookSubscriptionUpdate(input: $input) { ...SubscriptionFields }
      }
      ${subscriptionFields}`,
    variables: ({ body }) => ({ input: toCamelCase(body) }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'delete',
    path: '/v1/webhook-subscriptions',
    operationId: 'deleteWebhookSubscription',
    summary: 'Delete the webhook endpoint and cancel its pending deliveries',
    tag: 'Webhooks',
    permission: 'webhooks:write',
    responses: {
      204: {
        means:
          'The endpoint is deleted and its pending deliveries are canceled; the answer has no body.',
        body: null,
      },
    },
    errors: ['not_found'],
    document: 'mutation DeleteWebhookSubscription { webhookSubscriptionDelete }',
    variables: () => ({}),
    answer: () => ({ status: 204, body: null }),
  }),
  route({
    method: 'post',
    path: '/v1/webhook-subscriptions/test',
    operationId: 'testWebhookSubscription',
    summary: 'Send an event of the type webhook.test to the endpoint',
    details: 'The event is sent whichever types are enabled. See the webhook `webhook.test`.',
    tag: 'Webhooks',
    permission: 'webhooks:write',
    body: emptyBody,
    responses: {
      200: {
        means: 'The delivery of the test event, which is on its way.',
        body: deliveryEnvelope,
      },
    },
    errors: ['not_found', 'conflict'],
    document: `
      mutation TestWebhook { delivery: webhookTest { ...DeliveryFields } }
      ${deliveryFields}`,
    variables: () => ({}),
    answer: (data) => ({ status: 200, body: { delivery: deliveryBody(data['delivery']) } }),
  }),
  route({
    method: 'get',
    path: '/v1/webhook-subscriptions/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List webhook deliveries, newest first',
    tag: 'Webhooks',
    permission: 'read',
    query: deliveryListQuery,
    responses: {
      200: { means: 'One page of the deliveries, newest first.', body: deliveryList },
    },
    errors: [],
    document: `
      query ListWebhookDeliveries($first: Int, $after: String, $filter: WebhookDeliveryFilter) {
        webhookDeliveries(first: $first, after: $after, filter: $filter) {
          edges { node { ...DeliveryFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ${deliveryFields}`,
    variables: ({ query }) => listVariables(query),
    answer: (data) => {
      const { edges, pageInfo } = data['webhookDeliveries'] as {
        edges: { node: unknown }[];
        pageInfo: unknown;
      };
      const bodies = edges.map(({ node }) => ({ node: deliveryBody(node) }));
      return listAnswer('deliveries', { edges: bodies, pageInfo });
    },
  }),
  route({
    method: 'get',
    path: '/v1/webhook-subscriptions/deliveries/:deliveryId',
    operationId: 'getWebhookDelivery',
    summary: 'Read a webhook delivery with its attempts',
    tag: 'Webhooks',
    permission: 'read',
    params: deliveryParams,
    responses: {
      200: { means: 'The delivery with all its attempts.', body: deliveryDetailEnvelope },
    },
    errors: ['not_found'],
    document: `
      query GetWebhookDelivery($id: ID!) {
        webhookDelivery(id: $id) {
          ...DeliveryFields
          attempts {
            number started_at: startedAt latency_ms: latencyMs status_code: statusCode answer error
          }
        }
      }
      ${deliveryFields}`,
    variables: ({ params }) => ({ id: params.deliveryId }),
    answer: (data) => {
      if (data['webhookDelivery'] === null) throw new DomainError('not_found');
      return { status: 200, body: { delivery: deliveryBody(data['webhookDelivery']) } };
    },
  }),
  route({
    method: 'post',
    path: '/v1/webhook-subscriptions/deliveries/redeliver',
    operationId: 'redeliverWebhooks',
    summary: 'Send the deliveries of a window of time again, spread over time',
    tag: 'Webhooks',
    permission: 'webhooks:write',
    body: redeliveryBody,
    responses: {
      200: {
        means: 'With dry_run: what would be sent. Nothing is sent.',
        body: redeliveryEnvelope,
      },
      202: {
        means: 'What is sent, and over which time. Repeat the call while remaining is not 0.',
        body: redeliveryEnvelope,
      },
    },
    errors: ['conflict'],
    document: `
      mutation RedeliverWebhooks($input: WebhookDeliveriesRedeliverInput!) {
        redelivery: webhookDeliveriesRedeliver(input: $input) {
          count remaining starts_at: startsAt ends_at: endsAt dry_run: dryRun
        }
      }`,
    variables: ({ body }) => ({ input: toCamelCase(body) }),
    answer: (data) => {
      const { dry_run: dryRun } = data['redelivery'] as { dry_run: boolean };
      return { status: dryRun ? 200 : 202, body: data };
    },
  }),
  route({
    method: 'post',
    path: '/v1/webhook-subscriptions/deliveries/:deliveryId/redeliver',
    operationId: 'redeliverWebhook',
    summary: 'Send a delivery again, with the same event id and a new set of attempts',
    tag: 'Webhooks',
    permission: 'webhooks:write',
    params: deliveryParams,
    body: emptyBody,
    responses: {
      200: { means: 'The delivery, which is pending again.', body: deliveryEnvelope },
    },
    errors: ['not_found', 'conflict'],
    document: `
      mutation RedeliverWebhook($id: ID!) {
        delivery: webhookDeliveryRedeliver(id: $id) { ...DeliveryFields }
      }
      ${deliveryFields}`,
    variables: ({ params }) => ({ id: params.deliveryId }),
    answer: (data) => ({ status: 200, body: { delivery: deliveryBody(data['delivery']) } }),
  }),
];
