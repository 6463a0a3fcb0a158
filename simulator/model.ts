import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';

/** What the simulator knows about a payout, and the moves it permits. */
export const payoutStatuses = [
  'processing',
  'held',
  'disbursed',
  'settled',
  'failed',
  'returned',
] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const payoutActions = [
  'acknowledge',
  'estimate',
  'disburse',
  'settle',
  'fail',
  'return',
  'hold',
  'release',
] as const;
export type PayoutAction = (typeof payoutActions)[number];

interface Move<Status> {
  readonly eventType: string;
  readonly from: readonly Status[];
  /** null leaves the status as it is. */
  readonly to: Status | null;
}

export const payoutMoves: Record<PayoutAction, Move<PayoutStatus>> = {
  acknowledge: { eventType: 'payout.acknowledged', from: ['processing'], to: null },
  estimate: { eventType: 'payout.estimated', from: ['processing', 'disbursed'], to: null },
  disburse: { eventType: 'payout.disbursed', from: ['processing'], to: 'disbursed' },
  settle: { eventType: 'payout.settled', from: ['disbursed'], to: 'settled' },
  fail: { eventType: 'payout.failed', from: ['processing', 'held', 'disbursed'], to: 'failed' },
  return: { eventType: 'payout.returned', from: ['disbursed', 'settled'], to: 'returned' },
  hold: { eventType: 'payout.held', from: ['processing'], to: 'held' },
  release: { eventType: 'payout.released', from: ['held'], to: 'processing' },
};

export const recipientStatuses = ['active', 'suspended', 'closed'] as const;
export type RecipientStatus = (typeof recipientStatuses)[number];

export const recipientActions = ['suspend', 'close', 'reinstate'] as const;
export type RecipientAction = (typeof recipientActions)[number];

export const recipientMoves: Record<RecipientAction, Move<RecipientStatus>> = {
  suspend: { eventType: 'recipient.suspended', from: ['active'], to: 'suspended' },
  close: { eventType: 'recipient.closed', from: ['active', 'suspended'], to: 'closed' },
  reinstate: { eventType: 'recipient.reinstated', from: ['suspended'], to: 'active' },
};

export const failureSchema = z.object({ code: z.string(), message: z.string() });
export type Failure = z.infer<typeof failureSchema>;

/** The destination itself is not stored. Its last four characters and a digest show what was paid. */
export const recipientSchema = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.enum(recipientStatuses),
  currency: z.string(),
  destination_last4: z.string(),
  destination_sha256: z.string(),
  created_at: z.string(),
});
export type Recipient = z.infer<typeof recipientSchema>;

export const payoutSchema = z.object({
  id: z.string(),
  reference: z.string(),
  recipient_id: z.string(),
  amount_minor: z.int(),
  currency: z.string(),
  purpose: z.string(),
  status: z.enum(payoutStatuses),
  rail_ref: z.string().nullable(),
  expected_delivery_date: z.string().nullable(),
  failure: failureSchema.nullable(),
  created_at: z.string(),
});
export type Payout = z.infer<typeof payoutSchema>;

/** A submission that compliance refused. No payout exists for it. */
export const holdSchema = z.object({
  id: z.string(),
  reference: z.string(),
  recipient_id: z.string(),
  // Optional: a hold of an older ledger has neither.
  amount_minor: z.int().default(0),
  currency: z.string().default('XXX'),
});
export type Hold = z.infer<typeof holdSchema>;

const payoutEventData = z.object({
  payout_id: z.string(),
  reference: z.string(),
  status: z.enum(payoutStatuses),
  rail_ref: z.string().nullable(),
  expected_delivery_date: z.string().nullable(),
  failure: failureSchema.nullable(),
});
const recipientEventData = z.object({
  recipient_id: z.string(),
  reference: z.string(),
  status: z.enum(recipientStatuses),
  reason: z.string().nullable(),
});

export const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  occurred_at: z.string(),
  data: z.union([payoutEventData, recipientEventData]),
});
export type SimulatorEvent = z.infer<typeof eventSchema>;

/** A new random id with the provider's own prefix. Nothing can be derived from it. */
export function newSimulatorId(prefix: 'rcp' | 'po' | 'sev' | 'hold'): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, field]) => [key, sortKeys(field)]));
}

/**
 * SHA-256, lowercase hexadecimal, of the value's JSON with sorted keys, without white space and
 * without absent fields: two bodies with the same content have the same digest.
 */
export function contentDigest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(value)))
    .digest('hex');
}
