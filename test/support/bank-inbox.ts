import { applyBankFile } from '../../src/domain/bank-file/apply.ts';
import { storeBankFile } from '../../src/domain/bank-file/content.ts';
import { readStoredFile } from '../../src/domain/bank-file/read.ts';
import { settleBankPayouts } from '../../src/domain/bank-file/settle.ts';
import { applyProviderEvent } from '../../src/domain/provider-event/apply.ts';
import { useBankWorld } from './bank-world.ts';

/** A payment in a file of the bank. */
export interface Sent {
  readonly payout: string;
  readonly attempt: string;
  readonly trace: string | null;
  readonly message: string;
  readonly batch: string;
  readonly executionDate: string;
}

export interface LineRow {
  readonly id: string;
  readonly match: string;
  readonly doubt: string | null;
  readonly amount_minor: string | null;
  readonly named_attempt: string | null;
  readonly direction: string;
}

/** What the bank answers to payments that left in files, without a worker: each step is a call of the test. */
export function useBankInbox(env: Readonly<Record<string, string>> = {}) {
  const world = useBankWorld(env);
  const { sql } = world;

  /** Applies the events of banks that wait, as their jobs would. */
  async function applyEvents(): Promise<void> {
    const waiting = await sql<{ provider: string; id: string }>(
      `SELECT provider, event_id AS id FROM provider_event WHERE status = 'received' ORDER BY event_id`,
    );
    for (const { provider, id } of waiting) {
      await applyProviderEvent(world.call.services, provider, id);
    }
  }

  async function store(content: string | Uint8Array, connectionId = world.bank.connection) {
    async function* bytes() {
      const all = Buffer.from(content);
      for (let at = 0; at < all.length; at += 10_000) {
        yield await Promise.resolve(all.subarray(at, at + 10_000));
      }
    }
    return storeBankFile(world.call, {
      connectionId,
      name: 'in.xml',
      takenBy: null,
      bytes: bytes(),
    });
  }

  async function apply(fileId: string): Promise<void> {
    // The first run tells the payments, and the one after their events concludes the file.
    await applyBankFile(world.call, fileId);
    await applyEvents();
    await applyBankFile(world.call, fileId);
    await applyEvents();
    await applyBankFile(world.call, fileId);
  }

  return Object.assign(world, {
    store,
    apply,
    applyEvents,

    /** Takes a file through all jobs; its id. */
    async take(
      content: string | Uint8Array,
      connectionId = world.bank.connection,
    ): Promise<string> {
      const { fileId } = await store(content, connectionId);
      await readStoredFile(world.call, fileId);
      await apply(fileId);
      return fileId;
    },

    settle: (now: Date): Promise<void> => settleBankPayouts(world.call.services, now),

    /** Payouts that stand in one file of the bank. */
    async sent(count: number, more: Record<string, unknown> = {}): Promise<Sent[]> {
      for (let made = 0; made < count; made += 1) await world.waiting(world.payee, more);
      await world.close();
      return sql<Sent & Record<string, unknown>>(
        `SELECT p.payout_id AS payout, p.attempt_id AS attempt, p.trace_number AS trace, b.message_id AS message,
           b.id AS batch, b.execution_date AS "executionDate"
         FROM bank_payment p JOIN bank_batch b ON b.tenant_id = p.tenant_id AND b.id = p.batch_id
         WHERE b.id = (SELECT max(id) FROM bank_batch) ORDER BY p.position`,
      );
    },

    lines: () =>
      sql<LineRow & Record<string, unknown>>(
        'SELECT id, match, doubt, amount_minor, named_attempt, direction FROM bank_line ORDER BY direction DESC, id',
      ),

    contradictions: () =>
      sql<{ kind: string; said: string; payout_id: string }>(
        'SELECT kind, said, payout_id FROM provider_contradiction ORDER BY id',
      ),

    fileRow: async (id: string) =>
      (await sql<Record<string, unknown>>('SELECT * FROM bank_file WHERE id = $1', [id]))[0],
  });
}
