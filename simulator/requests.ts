import { z } from 'zod';
import { WireError } from './http.ts';
import { payoutActions, recipientActions } from './model.ts';

const text = z.string().trim().min(1).max(255);
const country = z.string().regex(/^[A-Z]{2}$/);
const currency = z.string().regex(/^[A-Z]{3}$/);

const destinationSchema = z
  .strictObject({
    account_holder_name: text,
    country,
    currency,
    account_number: text.optional(),
    routing_code: text.optional(),
    iban: text.optional(),
    swift_bic: text.optional(),
    clabe: text.optional(),
    pix_key: text.optional(),
    bank_name: text.optional(),
    account_type: z.enum(['checking', 'savings']).optional(),
  })
  .refine(
    (given) => (given.account_number ?? given.iban ?? given.clabe ?? given.pix_key) !== undefined,
    {
      error: 'One of account_number, iban, clabe and pix_key is needed.',
    },
  );
export type WireDestination = z.infer<typeof destinationSchema>;

const payeeSchema = z.strictObject({
  type: z.enum(['person', 'business']),
  first_name: text.optional(),
  last_name: text.optional(),
  business_name: text.optional(),
  email: text,
  phone: text.optional(),
  country: country.optional(),
  date_of_birth: z.iso.date().optional(),
  tax_number: text.optional(),
  address: z
    .strictObject({
      line1: text,
      line2: text.optional(),
      city: text,
      state: text.optional(),
      postal_code: text.optional(),
      country,
    })
    .optional(),
});

export const recipientRequest = z.strictObject({
  reference: text,
  payee: payeeSchema,
  destination: destinationSchema,
});
export type RecipientRequest = z.infer<typeof recipientRequest>;

export const nameCheckRequest = z.strictObject({
  payee_type: z.enum(['person', 'business']),
  destination: destinationSchema,
});
export type NameCheckRequest = z.infer<typeof nameCheckRequest>;

export const payoutRequest = z.strictObject({
  reference: text,
  recipient_id: text,
  // A safe integer: not every parser keeps JSON numbers beyond 2^53 - 1.
  amount_minor: z.int().positive(),
  currency,
  purpose: text,
});
export type PayoutRequest = z.infer<typeof payoutRequest>;

export const payoutEventRequest = z.strictObject({
  event: z.enum(payoutActions),
  /** With `estimate`: the date to announce. */
  expected_delivery_date: z.iso.datetime().optional(),
  /** With `fail` and `return`: the reason to give. */
  failure: z.strictObject({ code: text, message: text }).optional(),
});
export type PayoutEventRequest = z.infer<typeof payoutEventRequest>;

export const recipientEventRequest = z.strictObject({
  event: z.enum(recipientActions),
  reason: text.optional(),
});
export type RecipientEventRequest = z.infer<typeof recipientEventRequest>;

export const releaseRequest = z.union([
  z.strictObject({ reference: text }),
  z.strictObject({ recipient_id: text }),
]);
export type ReleaseRequest = z.infer<typeof releaseRequest>;

/** Validates a body. Throws WireError 400, naming fields but never repeating their values. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => {
    const path = issue.path.join('.') || 'body';
    const unknown = issue.code === 'unrecognized_keys' ? ` (${issue.keys.join(', ')})` : '';
    return `${path}: ${issue.code}${unknown}`;
  });
  throw new WireError(400, 'invalid_request', `The body is invalid: ${fields.join('; ')}.`);
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** The Idempotency-Key header. Throws WireError 400 when it is missing or malformed. */
export function parseKey(header: string | string[] | undefined): string {
  if (typeof header === 'string' && keyPattern.test(header)) return header;
  throw new WireError(400, 'idempotency_key_required', 'The Idempotency-Key header is required.');
}
