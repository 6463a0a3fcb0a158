import { applyBankFile } from '../../../src/domain/bank-file/apply.ts';
import { storeBankFile } from '../../../src/domain/bank-file/content.ts';
import { readStoredFile } from '../../../src/domain/bank-file/read.ts';
import { closeBankBatches } from '../../../src/domain/bank-batch/close.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { connectAccount, type ConnectionFacts } from '../../support/bank-world.ts';
import { setRoutes } from '../../support/banking.ts';
import { makePayee, payoutBody } from '../../support/factory.ts';
import { newApproved, systemCall } from '../../support/fake-provider.ts';
import type { ConsoleWorld } from './world.ts';

/** What a test of the console has beside it of a business that pays through banks. */
export async function banksOf({ harness, tenant }: ConsoleWorld) {
  const call = await systemCall(harness.services, tenant.tenantId);
  const { pool } = harness.database;
  const sql = async (text: string, values: unknown[] = []) =>
    (await pool.query<Record<string, string>>(text, values)).rows;
  const payee = await makePayee(harness, tenant.key);
  let routing = 0;

  /** An approved payout that waits for the next file of a connection. */
  async function waiting(connection: string): Promise<string> {
    routing = await setRoutes(harness, tenant, routing, [{ connectionId: connection }]);
    const body = payoutBody(payee, { validator_strategy: 'auto' });
    const id = await newApproved(harness, tenant.key, body);
    await disbursePayout(call, id);
    return id;
  }

  return {
    call,
    sql,
    waiting,

    /** A connection of that name. */
    async connect(name: string, facts: ConnectionFacts): Promise<string> {
      const id = await connectAccount(call, facts);
      await sql('UPDATE bank_connection SET name = $2 WHERE id = $1', [id, name]);
      return id;
    },

    /** A file of a connection with one payout. */
    async file(connection: string): Promise<{ id: string; name: string; sha256: string }> {
      await waiting(connection);
      await closeBankBatches(call, connection, { onRequest: true });
      const [batch] = await sql(
        'SELECT id, file_name, sha256 FROM bank_batch WHERE connection_id = $1 ORDER BY id DESC LIMIT 1',
        [connection],
      );
      if (batch === undefined) throw new Error('no file was made');
      const { id = '', file_name: name = '', sha256 = '' } = batch;
      return { id, name, sha256 };
    },

    /** A file of a bank that the worker has read, or found that it cannot be; its id. */
    async take(connectionId: string, name: string, content: string): Promise<string> {
      const bytes = (async function* bytes() {
        yield await Promise.resolve(Buffer.from(content));
      })();
      const { fileId } = await storeBankFile(call, { connectionId, name, takenBy: null, bytes });
      await readStoredFile(call, fileId);
      await applyBankFile(call, fileId);
      return fileId;
    },

    /** The latest line of the log. */
    async logged() {
      const [line] = await sql(
        'SELECT action, subject_id, reason FROM ops.action_log ORDER BY id DESC LIMIT 1',
      );
      return line;
    },
  };
}
