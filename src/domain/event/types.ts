import { z } from 'zod';
import { failureCodes } from '../../providers/port.ts';
import type { EventDeclaration } from './declaration.ts';
import { eventsOnRequest } from './on-request.ts';

const time = (description: string) => z.iso.datetime({ offset: true }).meta({ description });

/** Never a provider's own words, which may name it. */
const failureCode = z
  .string()
  .optional()
  .meta({
    description: `Why: ${failureCodes.join(', ')}. More may be added.`,
    examples: ['invalid_account'],
  });

/** The events of a payout from its hand-over on. Each is recorded, whether or not an endpoint takes it. */
const eventsOfPayments = {
  'payout.disbursement_submitted': {
    about: 'payout',
    sentWhen: 'the payout was handed over to the provider',
    howOften: 'once for a payout',
    tail: { status: z.literal('disbursement_submitted') },
  },
  'payout.acknowledged': {
    about: 'payout',
    sentWhen: 'the provider first reported on the attempt',
    howOften: 'once for an attempt',
    tail: { acknowledged_at: time('When the provider reported.') },
  },
  'payout.estimated_arrival_at': {
    about: 'payout',
    sentWhen: 'the provider gave or changed its estimate',
    howOften: 'each time the estimate changes',
    tail: { expected_delivery_date: time('When the money should arrive.') },
  },
  'payout.disbursed': {
    about: 'payout',
    sentWhen: 'the provider confirmed that the money has left',
    howOften: 'once for a payout',
    tail: { status: z.literal('disbursed') },
  },
  'payout.settled': {
    about: 'payout',
    sentWhen: 'the money arrived',
    howOften: 'once for a payout',
    tail: { status: z.literal('settled') },
  },
  'payout.failed': {
    about: 'payout',
    sentWhen: 'the payout ended, and the money did not arrive',
    howOften: 'once for a payout',
    tail: { status: z.literal('failed'), failure_code: failureCode },
  },
  'payout.returned': {
    about: 'payout',
    sentWhen: 'the money came back',
    howOften: 'once for a payout',
    tail: { status: z.literal('returned'), failure_code: failureCode },
  },
} as const satisfies Record<string, EventDeclaration>;

/**
 * The events that a webhook endpoint can subscribe to. The lists of REST, the `webhooks` of the OpenAPI document and
 * the schemas of events follow from this table.
 */
export const events = { ...eventsOfPayments, ...eventsOnRequest } as const satisfies Record<
  string,
  EventDeclaration
>;

/** Those that are recorded always. */
export const recordedTypes = Object.keys(eventsOfPayments) as (keyof typeof eventsOfPayments)[];

export type EventType = keyof typeof events;
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]; // an object's keys are its type's

/** The type of an event that a subscriber asks for to try the endpoint; nobody subscribes to it. */
export const testEventType = 'webhook.test';

/** The types of the events that deliveries carry, with what is told of each. */
export const deliveredEvents: Readonly<Record<EventType | typeof testEventType, EventDeclaration>> =
  {
    ...events,
    [testEventType]: {
      about: 'payout',
      sentWhen: 'you asked for it, to try the endpoint; its ids name nothing',
      howOften: 'once for a request',
      tail: { status: z.literal('test') },
    },
  };
export const deliveredTypes = [...eventTypes, testEventType] as const;
