import { z } from 'zod';

/** What the rows of `data` are about. */
export type EventSubject =
  | 'payout'
  | 'payout_batch'
  | 'beneficiary'
  | 'bank_account'
  | 'collection_request';

/** What subscribers are told of a type of event. */
export interface EventDeclaration {
  readonly about: EventSubject;
  /** Completes "sent when …". */
  readonly sentWhen: string;
  readonly howOften: string;
  /** The fields of `data` that this type has besides those of its subject. */
  readonly tail: Readonly<Record<string, z.ZodType>>;
}

const text = (description: string) => z.string().meta({ description });
/** A value of a list that may grow. */
const oneOf = (description: string, values: readonly string[]) =>
  text(`${description}: ${values.join(', ')}. More may be added.`);

/** The fields that `data` has in every event about a subject; nothing in them is personal. */
export const eventCores: Readonly<Record<EventSubject, Readonly<Record<string, z.ZodType>>>> = {
  payout: {
    payout_id: text('Id of the payout.'),
    external_ref: z.string().nullable().meta({ description: 'Your reference of the payout.' }),
    beneficiary_id: text('Id of the beneficiary.'),
    amount: text('Decimal string in major units, exact for the currency: 12.50 for 1250 cents.'),
    currency: text('ISO 4217.'),
    rail_ref: z.string().nullable().meta({
      description: "The provider's reference of the disbursement; null until it gives one.",
    }),
  },
  payout_batch: {
    payout_batch_id: text('Id of the batch.'),
    row_count: z.int().meta({ description: 'How many rows it has, those that were left out too.' }),
  },
  beneficiary: {
    beneficiary_id: text('Id of the beneficiary.'),
    beneficiary_type: oneOf('What it is', ['person', 'business']),
    compliance_status: oneOf('Its compliance status', ['pending', 'compliant', 'suspended']),
    enrollment_status: z
      .string()
      .nullable()
      .meta({ description: 'Its enrollment; null for one that was never enrolled.' }),
    collection_status: oneOf('How far a form is', ['not_invited', 'invited', 'details_submitted']),
  },
  bank_account: {
    bank_account_id: text('Id of the bank account.'),
    beneficiary_id: text('Id of its owner.'),
    country: text('ISO 3166-1 alpha-2.'),
    currency: text('ISO 4217.'),
    version: z.int().meta({ description: 'Number of the version of its details, from 1.' }),
    status: oneOf('Its verification', ['pending_verification', 'verified']),
    validation_status: oneOf('What its checks said', ['validated', 'unvalidated']),
  },
  collection_request: {
    collection_request_id: text('Id of the request.'),
    beneficiary_id: text('Id of the beneficiary who was asked.'),
    scope: oneOf('What it asks for', ['full_onboarding', 'bank_details', 'tax_documents']),
  },
};
