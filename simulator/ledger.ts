import { z } from 'zod';
import { openJournal, type Journal } from './journal.ts';
import { eventSchema, holdSchema, payoutSchema, recipientSchema } from './model.ts';

/** One line of the ledger. The simulator's whole memory is these lines, applied in order. */
const recordSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('recipient'),
    key: z.string(),
    body_sha256: z.string(),
    recipient: recipientSchema,
  }),
  z.object({
    kind: z.literal('payout'),
    key: z.string(),
    body_sha256: z.string(),
    payout: payoutSchema,
  }),
  z.object({ kind: z.literal('hold'), hold: holdSchema }),
  z.object({
    kind: z.literal('release'),
    recipient_id: z.string().nullable(),
    reference: z.string().nullable(),
  }),
  z.object({ kind: z.literal('event'), event: eventSchema }),
  z.object({ kind: z.literal('delivered'), event_id: z.string() }),
]);
export type LedgerRecord = z.infer<typeof recordSchema>;

export type Ledger = Journal<LedgerRecord>;

/** Opens the ledger file and hands every record to `apply`. Throws when the file is damaged. */
export function openLedger(file: string, apply: (record: LedgerRecord) => void): Promise<Ledger> {
  return openJournal('ledger', file, (line) => apply(recordSchema.parse(line)));
}
