import { z } from 'zod';

/** A decimal with a full stop, such as `12.50`. */
const amount = z.string();

/**
 * What becomes of an order. `booked` is paid: the account was debited, once. An order that is `refused` or `held` has
 * no entry.
 */
const orderStatuses = ['received', 'accepted', 'held', 'refused', 'booked', 'returned'] as const;

/** A payment that a customer ordered by a file. Neither the name nor the account of the payee is kept. */
const orderFields = z.object({
  /** The bank's own reference. */
  id: z.string(),
  customer: z.string(),
  file_sha256: z.string(),
  message_id: z.string(),
  /** `PmtInfId`, or the number of the batch. */
  group: z.string(),
  rail: z.enum(['iso20022', 'nacha']),
  end_to_end_id: z.string().nullable(),
  instruction_id: z.string().nullable(),
  uetr: z.string().nullable(),
  trace_number: z.string().nullable(),
  amount,
  currency: z.string(),
  /** The account that pays, and its currency. */
  account: z.string(),
  account_currency: z.string().optional(),
  execution_date: z.string(),
  /** Last four characters of the payee's account: they choose what happens. */
  creditor_last4: z.string(),
  /** The code by which it cannot be paid whatever its ending; null where it is fit. */
  unfit: z.string().nullable(),
  /** SHA-256 of the payee's bank and account. */
  creditor_sha256: z.string(),
  /** What an answer in the format of Nacha repeats of the order; null for other orders. */
  ach: z
    .object({
      code: z.string(),
      routing_number: z.string(),
      identification: z.string(),
      entry_class: z.string(),
      company: z.string(),
      company_id: z.string(),
      bank: z.string(),
      origin: z.string(),
    })
    .nullable(),
  status: z.enum(orderStatuses),
  /** The code of a refusal or return. */
  reason: z.string().nullable(),
  /** The day of the debit. */
  booked_on: z.string().nullable(),
});
/** An order of a book that does not say the account's currency was paid in its own. */
export const orderSchema = orderFields.transform(({ account_currency: own, ...order }) => ({
  ...order,
  account_currency: own ?? order.currency,
}));
export type Order = z.infer<typeof orderSchema>;

const fileSchema = z.object({
  kind: z.literal('file'),
  customer: z.string(),
  name: z.string(),
  sha256: z.string(),
  format: z.string(),
  message_id: z.string(),
  /** `duplicate`: the bank has the file, or its message id, already, and pays nothing for it. */
  verdict: z.enum(['taken', 'refused', 'duplicate']),
  reason: z.string().nullable(),
  received_at: z.string(),
  orders: z.array(orderSchema),
});
export type TakenFile = z.infer<typeof fileSchema>;

const entrySchema = z.object({
  kind: z.literal('entry'),
  id: z.string(),
  customer: z.string(),
  account: z.string(),
  currency: z.string(),
  direction: z.enum(['credit', 'debit']),
  amount,
  what: z.enum(['payment', 'return', 'fee', 'funds']),
  /** The order that was paid or came back. */
  order_id: z.string().nullable(),
  reason: z.string().nullable(),
  booked_on: z.string(),
});
export type BookEntry = z.infer<typeof entrySchema>;

const statementSchema = z.object({
  kind: z.literal('statement'),
  customer: z.string(),
  account: z.string(),
  currency: z.string(),
  number: z.int(),
  /** How many entries of the account it and those before it show. */
  entries: z.int(),
});

const answerSchema = z.object({
  kind: z.literal('answer'),
  id: z.int(),
  customer: z.string(),
  name: z.string(),
  text: z.string(),
});
export type BankAnswer = z.infer<typeof answerSchema>;

const changeSchema = z.discriminatedUnion('kind', [
  fileSchema,
  z.object({ kind: z.literal('cleared'), customer: z.string(), name: z.string() }),
  z.object({
    kind: z.literal('order'),
    id: z.string(),
    status: z.enum(orderStatuses),
    reason: z.string().nullable(),
    booked_on: z.string().nullable(),
  }),
  entrySchema,
  statementSchema,
  answerSchema,
  z.object({ kind: z.literal('placed'), id: z.int() }),
  z.object({ kind: z.literal('days'), days: z.int() }),
]);
export type BankChange = z.infer<typeof changeSchema>;

/** A line of the bank's book: what happened together, so that a crash leaves all of it or nothing. */
export const recordSchema = z.object({ at: z.number(), changes: z.array(changeSchema) });
export type BankRecord = z.infer<typeof recordSchema>;
