import { DomainError } from '../../src/errors/domain-error.ts';
import { eventEnvelope, eventList, eventListQuery, eventParams } from '../contracts/events.ts';
import { route } from '../route/route.ts';
import { listAnswer, listVariables } from './lists.ts';

const eventFields = `
  fragment EventFields on Event {
    id type occurred_at: occurredAt recorded_at: recordedAt sequence payout_id: payoutId
    subject_id: subjectId data
    deliveries {
      id subscription_id: subscriptionId status attempt_count: attemptCount
      next_attempt_at: nextAttemptAt completed_at: completedAt
    }
  }`;

export const eventRoutes = [
  route({
    method: 'get',
    path: '/v1/events',
    operationId: 'listEvents',
    summary: 'List events, with what was sent and what was not',
    tag: 'Webhooks',
    details:
      'Events of the payment are always recorded; the types on request from when an endpoint names them. With `since` it is a feed for pollers: read pages until `next_cursor` is null, then begin again with the last `recorded_at`, and skip an `id` that you have seen.',
    permission: 'read',
    query: eventListQuery,
    responses: {
      200: {
        means: 'One page of the events: newest first, or with since the oldest first.',
        body: eventList,
      },
    },
    errors: [],
    document: `
      query ListEvents($first: Int, $after: String, $filter: EventFilter) {
        events(first: $first, after: $after, filter: $filter) {
          edges { node { ...EventFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ${eventFields}`,
    variables: ({ query }) => listVariables(query),
    answer: (data) => listAnswer('events', data['events']),
  }),
  route({
    method: 'get',
    path: '/v1/events/:id',
    operationId: 'getEvent',
    summary: 'Read an event, with what was sent and what was not',
    tag: 'Webhooks',
    permission: 'read',
    params: eventParams,
    responses: { 200: { means: 'The event with its deliveries.', body: eventEnvelope } },
    errors: ['not_found'],
    document: `
      query GetEvent($id: ID!) { event(id: $id) { ...EventFields } }
      ${eventFields}`,
    variables: ({ params }) => ({ id: params.id }),
    answer: (data) => {
      if (data['event'] === null) throw new DomainError('not_found');
      return { status: 200, body: data };
    },
  }),
];
