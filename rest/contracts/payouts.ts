import { z } from 'zod';
import {
  dateTime,
  externalRef,
  freeObject,
  idempotencyKey,
  isoDate,
  reasonMessage,
  text,
  ulid,
} from '../../src/values/fields.ts';
import {
  beneficiaryType,
  documentedAs,
  id,
  mostRows,
  nextCursor,
  openAmount,
  openCurrency,
  ownMetadata,
  pageQuery,
  pathId,
  repeatable,
  rowError,
  timestamp,
  updatedSince,
} from './common.ts';
import { purposesOfPayment } from '../../src/reference/purposes.ts';
import { givenInputs, shownFields } from '../../src/domain/payout/fields.ts';
import { approval } from './approval.ts';
import { answered, byWireName } from './declared.ts';
import { schemaEnum } from './schema-enum.ts';

export const payoutState = schemaEnum('PayoutState');

const decisionStatus = schemaEnum('DecisionStatus');

const { via, createdAt, updatedAt, approvedAt, disbursedAt, settledAt, ...facts } =
  answered(shownFields);

/** A payout as it is answered. */
const payout = z
  .object(
    byWireName({
      id,
      ...facts,
      amountMinor: facts.amountMinor.meta({ description: 'Minor units of currency.' }),
      currency: facts.currency.meta({ description: 'ISO 4217.' }),
      purposeOfPayment: z.string(),
      metadata: ownMetadata,
      railRef: facts.railRef.meta({
        description: "The provider's reference of the disbursement.",
      }),
      failureCode: z.string().nullable(),
      shortfallMinor: facts.shortfallMinor.meta({
        description:
          'What the funds lack for it, in minor units of currency, because money went out after its approval while funds are enforced; null where they cover it. It is handed over all the same. It changes without updated_at.',
      }),
      via: via.meta({ description: 'Reserved; null in this version.' }),
      createdAt,
      updatedAt,
      approvedAt,
      disbursedAt,
      settledAt,
    }),
  )
  .meta({ id: 'Payout' });

const beneficiaryEcho = z.strictObject({
  beneficiary_type: beneficiaryType.optional(),
  email: text(254).optional(),
  first_name: text().optional(),
  last_name: text().optional(),
  business_name: text().optional(),
  country_of_residence: text().optional(),
  country_of_incorporation: text().optional(),
  registration_number: text().optional(),
  date_of_birth: isoDate.optional(),
  tax_id: text().optional(),
});

const { metadata, ...given } = givenInputs;

const payoutFields = byWireName({
  ...given,
  // A wrong amount, currency or purpose has a code of its own (INVALID_MONEY,
  // INVALID_PURPOSE_OF_PAYMENT), so the shape is left open and the command judges.
  amountMinor: openAmount(1, 'Minor units of currency: 1250 is USD 12.50 and JPY 1250.'),
  currency: openCurrency("ISO 4217; the bank account's currency."),
  purposeOfPayment: given.purposeOfPayment.meta({
    description: 'What the money is for; banks and rails ask for it.',
    override: documentedAs({ type: 'string', enum: [...purposesOfPayment] }),
  }),
  validatorStrategy: schemaEnum('ValidatorStrategy').optional(),
  beneficiary: beneficiaryEcho.optional(),
  metadata,
});

/** The contract leaves the purpose open for its own error code; a caller has to send it. */
function purposeRequired({ jsonSchema }: { jsonSchema: { required?: string[] } }): void {
  jsonSchema.required = [...(jsonSchema.required ?? []), 'purpose_of_payment'];
}

/** The contract sees the key of the header as the field; a caller may leave the field out. */
function keyOptional({ jsonSchema }: { jsonSchema: { required?: string[] } }): void {
  jsonSchema.required = (jsonSchema.required ?? []).filter((name) => name !== 'idempotency_key');
}

export const payoutCreateBody = z
  .strictObject({
    ...payoutFields,
    idempotency_key: idempotencyKey.meta({
      description: 'Required here or as the header Idempotency-Key.',
    }),
    dry_run: z.boolean().optional().meta({
      description:
        'Whether to run every check and write nothing. The answer is then 200 without a payout, or the very error.',
    }),
  })
  .meta({
    id: 'PayoutCreate',
    override: (context) => {
      purposeRequired(context);
      keyOptional(context);
    },
  });

/** A row of a bulk request; a dry run is asked for the whole request. */
export const payoutBulkRow = z
  .strictObject(payoutFields)
  .meta({ id: 'PayoutBulkRow', unusedIO: 'input', override: purposeRequired });

export const bulkBody = z
  .strictObject({
    // Checked row by row, since a malformed row fails alone. The domain limits their number.
    payouts: z
      .array(z.unknown())
      .max(mostRows)
      .meta({
        description:
          '1 to 1,000 rows, each as the body of a single create without dry_run, with its own key.',
        override: documentedAs({
          type: 'array',
          minItems: 1,
          maxItems: 1_000,
          items: { $ref: '#/components/schemas/PayoutBulkRow' },
        }),
      }),
    mode: schemaEnum('BulkMode').optional(),
    dry_run: z.boolean().optional(),
  })
  .meta({ id: 'PayoutBulkCreate' });

/** Whether the funds would cover a payout; told in dry runs. */
const fundingOutlook = z
  .object({
    currency: z.string().meta({ description: 'ISO 4217 code of the amounts.' }),
    available_minor: z.int().meta({
      description:
        'Posted funds, less what is held for approved payouts and what earlier rows of the request would take; in minor units of currency.',
    }),
    shortfall_minor: z.int().meta({
      description: 'What would be missing, in minor units of currency; 0 where the funds cover it.',
    }),
  })
  .meta({
    id: 'FundingOutlook',
    description: 'Whether the funds would cover the approval of the payout at this moment.',
  });

export const bulkAnswer = z
  .object({
    results: z.array(
      z.object({
        index: z.int(),
        status: schemaEnum('BulkRowStatus').meta({
          description:
            'replayed: the payout existed before, also when an atomic request was refused. not_attempted: the row is in order but was not created, since another row of the atomic request failed; send it again with the same key.',
        }),
        payout: payout.nullable(),
        error: rowError.nullable(),
        funding: fundingOutlook.nullable().meta({
          description: 'Of a row that a dry run would create; null otherwise.',
        }),
      }),
    ),
    summary: z.object({
      total: z.int(),
      created: z.int(),
      replayed: z.int(),
      failed: z.int(),
      not_attempted: z.int(),
    }),
    dry_run: z.literal(true).optional(),
  })
  .meta({ id: 'PayoutBulkResult' });

export const payoutEnvelope = z.object({ payout }).meta({ id: 'PayoutEnvelope' });

/** A payout as it is read by itself. */
export const payoutWithApproval = z
  .object({
    payout,
    approval: approval.nullable().meta({
      description:
        'What the approval policy demands of it while it waits, and whether you may approve it; null where there is no policy, and after the approval.',
    }),
  })
  .meta({ id: 'PayoutWithApproval' });

const payoutDryRun = z
  .object({
    // A property that can only be null is left out by openapi-fetch, which then finds no `payout` in
    // the answers of a create.
    payout: z.null().meta({
      description: 'Null: nothing was created.',
      override: documentedAs({
        anyOf: [{ $ref: '#/components/schemas/Payout' }, { type: 'null' }],
      }),
    }),
    dry_run: z.literal(true),
    funding: fundingOutlook,
  })
  .meta({ id: 'PayoutDryRun', description: 'The request would have been accepted.' });

/** A create's 200: a payout that was there before, or that of a dry run, which has none. */
export const payoutReplayOrDryRun = z.xor([payoutEnvelope, payoutDryRun]);

export const payoutList = z.object({ payouts: z.array(payout), next_cursor: nextCursor });

export const payoutListQuery = z.strictObject({
  ...pageQuery,
  state: repeatable(payoutState).meta({
    description: 'In one of these states; may be repeated.',
  }),
  beneficiary_id: text().optional().meta({ description: 'Paid to this beneficiary.' }),
  external_ref: externalRef.optional().meta({ description: 'With this reference of yours.' }),
  idempotency_key: idempotencyKey.optional().meta({ description: 'Created with this key.' }),
  updatedSince,
});

export const payoutParams = z.strictObject({ payoutId: pathId('payout') });

const reasonInput = z.strictObject({
  code: text(64).optional(),
  message: reasonMessage,
  details: freeObject.optional(),
});

/** Body of approve and reject, the two aliases of a decision. */
export const aliasBody = z
  .strictObject({ decision_id: ulid.optional(), reasons: z.array(reasonInput).max(20).optional() })
  .optional();

export const decisionBody = z
  .strictObject({
    decision_id: ulid,
    status: decisionStatus,
    evaluated_at: dateTime.optional(),
    reasons: z.array(reasonInput).max(20).optional(),
    evaluated_by: freeObject.optional(),
    policy_version: text().optional(),
    agent_version: text().optional(),
    confidence: z.number().min(0).max(1).optional(),
  })
  .meta({ id: 'DecisionCreate' });

/** A decision as it is answered. */
const decision = z
  .object({
    id,
    decision_id: z.string(),
    payout_id: z.string(),
    status: decisionStatus,
    reasons: z.array(
      z.object({
        code: z.string(),
        message: z.string(),
        details: z.record(z.string(), z.unknown()),
      }),
    ),
    evaluated_by: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Who decided, as the caller claims.' }),
    evaluated_at: timestamp,
    submitted_by: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Whose API key submitted it.' }),
    submitted_at: timestamp,
    policy_version: z.string().nullable(),
    agent_version: z.string().nullable(),
    confidence: z.number().nullable(),
  })
  .meta({ id: 'Decision' });

export const decisionEnvelope = z.object({ decision });
export const decisionList = z.object({ decisions: z.array(decision), next_cursor: nextCursor });
export const decisionListQuery = z.strictObject(pageQuery);
export const decidedEnvelope = z.object({ payout, decision });
