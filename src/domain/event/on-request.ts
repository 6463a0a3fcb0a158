import { z } from 'zod';
import type { EventDeclaration } from './declaration.ts';

const payoutId = (description: string) => z.string().meta({ description });

/** Each time, since a payout may be held, released and approved again. */
const eachTime = 'each time';
const once = 'once for a payout';

/**
 * The events that are recorded and sent only where an endpoint of the tenant names them. For nobody else does a command
 * write a row more.
 */
export const eventsOnRequest = {
  'payout.created': {
    about: 'payout',
    sentWhen: 'the payout was created',
    howOften: once,
    tail: { status: z.enum(['pending_approval', 'approved', 'compliance_hold']) },
  },
  'payout.approved': {
    about: 'payout',
    sentWhen: 'the payout was approved, by a person or by itself',
    howOften: eachTime,
    tail: { status: z.literal('approved') },
  },
  'payout.approval_expired': {
    about: 'payout',
    sentWhen:
      'a step of the approval policy was not fulfilled in its time, and the payout waits for its first step again; it is not rejected',
    howOften: eachTime,
    tail: { status: z.literal('pending_approval') },
  },
  'payout.rejected': {
    about: 'payout',
    sentWhen: 'the payout was rejected',
    howOften: once,
    tail: { status: z.literal('rejected') },
  },
  'payout.canceled': {
    about: 'payout',
    sentWhen: 'the payout was canceled',
    howOften: once,
    tail: { status: z.literal('canceled') },
  },
  'payout.held': {
    about: 'payout',
    sentWhen: 'the payout was held for compliance',
    howOften: eachTime,
    tail: { status: z.literal('compliance_hold') },
  },
  'payout.released': {
    about: 'payout',
    sentWhen: 'a hold ended, and the payout waits for an approval again',
    howOften: eachTime,
    tail: { status: z.literal('pending_approval') },
  },
  'payout.replaced': {
    about: 'payout',
    sentWhen: 'another payout was created in its place',
    howOften: once,
    tail: { replaced_by_payout_id: payoutId('Id of the payout that replaces it.') },
  },
  'beneficiary.created': {
    about: 'beneficiary',
    sentWhen: 'the payee was registered or invited',
    howOften: 'once for a payee',
    tail: {},
  },
  'beneficiary.changed': {
    about: 'beneficiary',
    sentWhen: "the payee's details or its status changed",
    howOften: eachTime,
    tail: {
      change: z.string().meta({
        description:
          'What happened: updated, acknowledged, reacknowledgment_required, reinstated, invited, invite_canceled, invite_expired, details_submitted. More may be added.',
        examples: ['updated'],
      }),
      changed_fields: z.array(z.string()).meta({
        description: 'The names of the fields that changed, without their values.',
        examples: [['nickname']],
      }),
    },
  },
  'beneficiary.ready': {
    about: 'beneficiary',
    sentWhen: 'the payee became ready to be paid',
    howOften: 'each time it becomes ready',
    tail: {},
  },
  'beneficiary.action_required': {
    about: 'beneficiary',
    sentWhen: 'a compliant payee lacks an account or an enrollment to be paid',
    howOften: 'each time it comes to that',
    tail: {},
  },
  'beneficiary.suspended': {
    about: 'beneficiary',
    sentWhen: 'the payee was suspended',
    howOften: eachTime,
    tail: {},
  },
  'beneficiary.archived': {
    about: 'beneficiary',
    sentWhen: 'the payee was archived or erased',
    howOften: 'once for a payee',
    tail: {},
  },
  'beneficiary.screening_hit': {
    about: 'beneficiary',
    sentWhen: 'the screening found that a list of sanctions may have the payee',
    howOften: 'each time it finds hits that nobody was asked about',
    tail: {
      new_hits: z.int().min(1).meta({
        description: 'How many of them wait for a decision. Whose they are is not told here.',
      }),
    },
  },
  'beneficiary.screening_cleared': {
    about: 'beneficiary',
    sentWhen: 'no hit of the payee is open or confirmed any more',
    howOften: 'each time it comes to that',
    tail: {
      because: z.string().meta({
        description:
          'decided: a person cleared the last one; gone: no list has the payee any more. More may be added.',
        examples: ['decided'],
      }),
    },
  },
  'bank_account.verified': {
    about: 'bank_account',
    sentWhen: 'the account was verified, at its registration or later',
    howOften: 'once for an account',
    tail: {},
  },
  'bank_account.refused': {
    about: 'bank_account',
    sentWhen: 'the payment rail refused the account',
    howOften: eachTime,
    tail: {},
  },
  'bank_account.changed': {
    about: 'bank_account',
    sentWhen: 'the details of the account were replaced',
    howOften: 'once for a version',
    tail: {},
  },
  'collection_request.submitted': {
    about: 'collection_request',
    sentWhen: 'the payee completed the form',
    howOften: 'once for a request',
    tail: { status: z.literal('submitted') },
  },
  'collection_request.expired': {
    about: 'collection_request',
    sentWhen: 'the time of the form ended before it was completed',
    howOften: 'once for a request',
    tail: { status: z.literal('expired') },
  },
} as const satisfies Record<string, EventDeclaration>;
