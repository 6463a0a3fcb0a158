import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { sealCorrection } from '../../src/domain/bank-file/correction.ts';
import type { Call } from '../../src/process/services.ts';
import { newId } from '../../src/values/ids.ts';

/** Columns of a row that differ from those of a helper, by their names in the database. */
type Given = Readonly<Record<string, unknown>>;

/** The payment that a bank answers. */
export interface AnsweredPayment {
  readonly payoutId: string;
  readonly beneficiaryId: string;
  readonly bankAccountId: string;
}

const noHash = '0'.repeat(64);

/** Rows of what goes to banks and what comes from them, straight in the database. Each gives the id of its row. */
export function bankRows(pool: Pool, call: Call) {
  const { tenantId } = call.scope;

  async function insert(table: string, id: string, row: Given): Promise<string> {
    const all = { tenant_id: tenantId, id, ...row };
    const places = Object.keys(all).map((_name, index) => `$${index + 1}`);
    const columns = Object.keys(all).join(', ');
    const text = `INSERT INTO ${table} (${columns}) VALUES (${places.join(', ')})`;
    await pool.query(text, Object.values(all));
    return id;
  }

  const sealedKey = (row: string): Buffer =>
    call.services.keyring.encrypt('sealed', { tenantId, row, field: 'content_key' });

  return {
    /** A file for a bank, which nobody has sent. Its bytes are none that a bank could read. */
    batch(connectionId: string, given: Given = {}): Promise<string> {
      const id = newId('bankBatch');
      return insert('bank_batch', id, {
        connection_id: connectionId,
        scheme: 'ach',
        currency: 'USD',
        message_id: id,
        file_name: id,
        sha256: noHash,
        size_bytes: 1,
        content: Buffer.of(0),
        content_key_ciphertext: sealedKey(id),
        payment_count: 1,
        control_sum_minor: 1,
        execution_date: '2026-01-02',
        closed_by: 'request',
        ...given,
      });
    },

    /** A file that came from a bank, which is read and applied. Its bytes are not there. */
    file(connectionId: string, given: Given = {}): Promise<string> {
      const id = newId('bankFile');
      return insert('bank_file', id, {
        connection_id: connectionId,
        name: 'statement.xml',
        status: 'read',
        // Of the same bytes there is one file.
        sha256: createHash('sha256').update(id).digest('hex'),
        size_bytes: 1,
        chunks: 1,
        content_key_ciphertext: sealedKey(id),
        applied_at: new Date(),
        ...given,
      });
    },

    /** A debit that a file tells of, and that waits for a person. */
    line(connectionId: string, fileId: string, given: Given = {}): Promise<string> {
      const id = newId('bankLine');
      return insert('bank_line', id, {
        connection_id: connectionId,
        file_id: fileId,
        natural_key: id,
        direction: 'debit',
        amount_minor: 1,
        currency: 'USD',
        reversal: false,
        is_fee: false,
        match: 'unmatched',
        doubt: 'not_ours',
        ...given,
      });
    },

    /** A return of a payment that the connection does not have, which waits for a person. */
    strayAnswer(connectionId: string, fileId: string): Promise<string> {
      const id = newId('bankStrayAnswer');
      return insert('bank_stray_answer', id, {
        connection_id: connectionId,
        file_id: fileId,
        line: 4,
        natural_key: id,
        kind: 'return',
        said: 'R03',
        trace_number: '021000029999999',
        amount_minor: 1,
        currency: 'USD',
      });
    },

    /** What a bank says is right about the first version of an account: another number. */
    proposal(connectionId: string, fileId: string, of: AnsweredPayment): Promise<string> {
      const id = newId('bankAccountProposal');
      const correction = {
        accountNumber: '1918171614',
        routingNumber: null,
        transactionCode: null,
        name: null,
        identification: null,
      };
      return insert('bank_account_proposal', id, {
        connection_id: connectionId,
        file_id: fileId,
        trace_number: '021000020000001',
        code: 'C01',
        attempt_id: newId('disbursementAttempt'),
        payout_id: of.payoutId,
        beneficiary_id: of.beneficiaryId,
        bank_account_id: of.bankAccountId,
        bank_account_version: 1,
        correction_ciphertext: sealCorrection(call, id, correction),
      });
    },
  };
}
