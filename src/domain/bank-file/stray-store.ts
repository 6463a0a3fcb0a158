import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import { isId, newId } from '../../values/ids.ts';
import type { StoredBankFile } from './file-store.ts';
import type { ByHand } from './line-store.ts';
import type { StrayAnswer } from './stray.ts';

/** In the order of their keys, so that two files that tell of the same answers never wait for each other. */
const insertStrays = named(
  'insert_bank_stray_answers',
  ['tenant', 'connection', 'file', 'answers'],
  `
    INSERT INTO bank_stray_answer (
      tenant_id, id, connection_id, file_id, line, natural_key, kind, said, original_message_id, original_batch_id,
      end_to_end_id, instruction_id, trace_number, amount_minor, currency
    )
    SELECT @tenant, s.id, @connection, @file, s.line, s."naturalKey", s.kind, s.said, s."originalMessageId",
      s."originalBatchId", s."endToEndId", s."instructionId", s."traceNumber", s."amountMinor", s.currency
    FROM jsonb_to_recordset(@answers::jsonb) AS s (
      id text, line integer, "naturalKey" text, kind text, said text, "originalMessageId" text, "originalBatchId" text,
      "endToEndId" text, "instructionId" text, "traceNumber" text, "amountMinor" bigint, currency text
    )
    ORDER BY s."naturalKey", s.id
    ON CONFLICT (tenant_id, connection_id, natural_key) DO NOTHING`,
);

/** Puts answers that name nothing of the connection on the desk, each once, whichever files repeat it. */
export async function keepStrays(
  client: Queryable,
  { tenantId: tenant }: Scope,
  { id: file, connectionId: connection }: Pick<StoredBankFile, 'id' | 'connectionId'>,
  strays: readonly StrayAnswer[],
): Promise<void> {
  if (strays.length === 0) return;
  const answers = JSON.stringify(strays.map((one) => ({ ...one, id: newId('bankStrayAnswer') })));
  await rows(client, insertStrays, insertStrays.of({ tenant, connection, file, answers }));
}

const lockStray = named(
  'lock_bank_stray_answer',
  ['tenant', 'answer'],
  `
    SELECT s.status FROM bank_stray_answer s
    WHERE s.tenant_id = @tenant AND s.id = @answer FOR NO KEY UPDATE`,
);

const explainStray = named(
  'explain_bank_stray_answer',
  ['tenant', 'answer', 'explanation', 'action'],
  `
    UPDATE bank_stray_answer s SET status = 'explained', explanation = @explanation, action_id = @action::uuid
    WHERE s.tenant_id = @tenant AND s.id = @answer AND s.status = 'open'`,
);

/** Notes what an answer is, in the transaction of `client`. It moves nothing. Null, or why not. */
export async function explainStrayByHand(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  answer: string,
  { explanation, actionId: action }: ByHand,
): Promise<'no_answer' | 'answer_not_open' | null> {
  const held = isId('bankStrayAnswer', answer)
    ? await firstRow<{ status: string }>(client, lockStray, lockStray.of({ tenant, answer }))
    : null;
  if (held === null) return 'no_answer';
  if (held.status !== 'open') return 'answer_not_open';
  await rows(client, explainStray, explainStray.of({ tenant, answer, explanation, action }));
  return null;
}
