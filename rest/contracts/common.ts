import { z } from 'zod';
import { catalogue, type ErrorCode } from '../../src/errors/catalogue.ts';
import { ownGivenFields, ownInputs } from '../../src/values/own-fields.ts';
import { dateTime, idempotencyKey } from '../../src/values/fields.ts';
import { maximumAmountMinor } from '../../src/values/money.ts';
import { schemaEnum } from './schema-enum.ts';

/** Parts that several contracts share. */
export const id = z.string().meta({ description: 'Id of the resource.' });
export const timestamp = z.iso.datetime().meta({ description: 'ISO 8601 date-time in UTC.' });
export const environment = schemaEnum('Environment');
export const beneficiaryType = schemaEnum('BeneficiaryType');
/** A postal address as it is answered; what was not given is null. */
export const addressView = z
  .object({
    line1: z.string(),
    line2: z.string().nullable(),
    city: z.string(),
    state: z.string().nullable(),
    postal_code: z.string().nullable(),
    country: z.string(),
  })
  .meta({ id: 'PostalAddress' });

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Pass it as cursor for the next page; null on the last page.' });

/** The id of a resource in a path. */
export function pathId(noun: string) {
  return z.string().meta({ description: `Id of the ${noun}.` });
}

/**
 * Shows what a caller should send where the contract takes more, since a wrong value has an error code
 * of its own that the command gives.
 */
export function documentedAs(schema: Readonly<Record<string, unknown>>) {
  return ({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void => {
    const { description } = jsonSchema;
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    Object.assign(jsonSchema, { description }, schema);
  };
}

/** An amount of a request: a wrong one is `INVALID_MONEY`, so the shape is left open. */
export function openAmount(minimum: number, description: string) {
  return z.union([z.number(), z.string()]).meta({
    description,
    override: documentedAs({ type: 'integer', minimum, maximum: maximumAmountMinor }),
  });
}

/** A currency beside such an amount. */
export function openCurrency(description: string) {
  return z.string().meta({
    description,
    override: documentedAs({ type: 'string', pattern: '^[A-Z]{3}$', examples: ['USD'] }),
  });
}

/** What a business keeps of its own beside a resource, as it sends it. */
export const ownBody = {
  external_ref: ownInputs.externalRef.meta({ description: ownGivenFields.externalRef.description }),
  metadata: ownInputs.metadata.meta({ description: ownGivenFields.metadata.description }),
};

/** And as it is answered. */
export const ownMetadata = z.record(z.string(), z.string()).nullable();

/** The key of a create that need not have one. */
export const createKey = idempotencyKey.nullish().meta({
  description:
    'Here or as the header Idempotency-Key. The same request under the same key within 24 hours creates nothing more.',
});

/** The beginning of a feed of changes. */
export const updatedSince = dateTime.optional().meta({
  description:
    'Changed at or after this time. The list then runs from the oldest change to the newest.',
});

/** Query parameters of every list. The GraphQL connection limits the size of a page. */
export const pageQuery = {
  limit: z
    .string()
    // Digits alone: Number() would also take 0x10 and 1e1.
    .refine((digits) => /^\d{1,9}$/.test(digits), {
      message: 'Must be an integer in digits.',
      params: { code: 'invalid_format' },
    })
    .transform(Number)
    .optional()
    .meta({
      description: 'Page size, 1 to 100 unless the operator set another maximum.',
      override: documentedAs({ type: 'integer', minimum: 1, maximum: 100, default: 25 }),
      param: { id: 'limit' },
    }),
  cursor: z
    .string()
    .optional()
    .meta({ description: 'next_cursor of the page before.', param: { id: 'cursor' } }),
};

/** Query parameters that may be repeated arrive as a list; this takes one or several. */
export function repeatable<T extends z.ZodType>(item: T) {
  return z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).optional(),
  );
}

/** A body that may be left out, and must be empty when it is there. */
export const emptyBody = z.strictObject({}).optional();

/** More rows than any setting permits: refused before they are looked at one by one. */
export const mostRows = 5_000;

/** Every code of the catalogue. */
export const errorCode = z.enum(Object.keys(catalogue) as [ErrorCode, ...ErrorCode[]]).meta({
  id: 'ErrorCode',
  description: 'Stable; each has a section in the error reference. More may be added.',
});

/** The fields that were rejected. */
export const errorDetails = z.array(
  z.object({
    field: z.string().meta({ description: 'Path of the field, for example `invites[0].email`.' }),
    code: z.string().meta({ description: 'What is wrong with it; stable.' }),
    message: z.string().meta({ description: 'Text for people; it may change.' }),
    currency: z.string().optional().meta({
      description: 'Of FUNDING_INSUFFICIENT: ISO 4217 code of the amounts.',
    }),
    available_minor: z.int().optional().meta({
      description: 'Of FUNDING_INSUFFICIENT: what is available, in minor units of currency.',
    }),
    shortfall_minor: z.int().optional().meta({
      description: 'Of FUNDING_INSUFFICIENT: what is missing, in minor units of currency.',
    }),
  }),
);

/** Why a row of a bulk request failed. */
export const rowError = z
  .object({
    code: errorCode,
    message: z.string().meta({ description: 'Text for people; it may change.' }),
    details: errorDetails.optional().meta({
      description:
        'The rejected fields on validation failures, and the shortfall on FUNDING_INSUFFICIENT.',
    }),
  })
  .meta({ id: 'RowError' });
