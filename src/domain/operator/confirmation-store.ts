import type { PoolClient } from 'pg';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';

const confirmedOrder = platformStatement({
  name: 'confirmed_order',
  text: `
    SELECT answer IS NOT DISTINCT FROM 'confirmed' AS confirmed FROM ops.order_confirmation
    WHERE action_id = $1::uuid`,
});

const askForConfirmation = platformStatement({
  name: 'ask_for_confirmation',
  text: `
    INSERT INTO ops.order_confirmation (action_id) VALUES ($1::uuid)
    ON CONFLICT (action_id) DO NOTHING`,
});

/**
 * Whether a second person has confirmed the order. If not, it is shown in `ops.resolutions_to_confirm` from
 * now on; whoever confirms it adds its job again.
 */
export async function isConfirmed(client: Queryable, actionId: string): Promise<boolean> {
  await rows(client, askForConfirmation, [actionId]);
  const row = await firstRow<{ confirmed: boolean }>(client, confirmedOrder, [actionId]);
  return row?.confirmed ?? false;
}

const lockResolution = platformStatement({
  name: 'lock_resolution',
  text: `
    SELECT l.subject_id AS "payoutId", ops.person_of(l.who) = ops.person_of($3) AS "isOwn"
    FROM ops.action_log l
    WHERE l.id = $1::uuid AND l.tenant_id = $2 AND l.action = 'resolve_payout' AND l.outcome IS NULL
    FOR UPDATE`,
});

/** A resolution that waits, locked until the transaction ends, and whether this key's person ordered it. */
export function lockResolutionToConfirm(
  client: PoolClient,
  order: { readonly actionId: string; readonly tenantId: string; readonly who: string },
): Promise<{ readonly payoutId: string; readonly isOwn: boolean } | null> {
  return firstRow(client, lockResolution, [order.actionId, order.tenantId, order.who]);
}

const answerConfirmation = platformStatement({
  name: 'answer_confirmation',
  text: `
    INSERT INTO ops.order_confirmation AS o (action_id, answer, answered_at, answered_by)
    VALUES ($1::uuid, $2, now(), $3)
    ON CONFLICT (action_id) DO UPDATE SET
      answer = excluded.answer, answered_at = excluded.answered_at, answered_by = excluded.answered_by
    WHERE o.answer IS NULL
    RETURNING action_id`,
});

export const confirmationAnswers = ['confirmed', 'declined'] as const;
export type ConfirmationAnswer = (typeof confirmationAnswers)[number];

/** Records the answer to a locked order; false if there was one before. */
export async function recordAnswer(
  client: PoolClient,
  actionId: string,
  answer: ConfirmationAnswer,
  who: string,
): Promise<boolean> {
  return (await firstRow(client, answerConfirmation, [actionId, answer, who])) !== null;
}
