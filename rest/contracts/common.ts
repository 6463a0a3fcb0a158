import { z } from 'zod';
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
      override: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    }),
  cursor: z.string().optional().meta({ description: 'next_cursor of the page before.' }),
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

/** Why a row of a bulk request failed. */
export const rowError = z.object({
  code: z.string(),
  message: z.string(),
  details: z
    .array(z.object({ field: z.string(), code: z.string(), message: z.string() }))
    .optional(),
});
