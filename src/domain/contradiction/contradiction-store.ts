import type { PoolClient } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Statement } from '../../db/pool.ts';
import type { Claim, Contradiction, Source } from './contradiction.ts';

/** The same contradiction is recorded once, even if it is said again after a person has looked at it. */
const insertContradictions = named(
  'insert_contradictions',
  ['tenant', 'subject', 'payout', 'provider', 'contradictions', 'source', 'event'],
  `
    INSERT INTO provider_contradiction
      (tenant_id, subject_id, payout_id, provider, kind, said, expected, source, event_id)
    SELECT @tenant, @subject, @payout, @provider, s.kind, s.said, s.expected, @source, @event
    FROM jsonb_to_recordset(@contradictions::jsonb) AS s (kind text, said text, expected text)
    ORDER BY s.kind, s.said
    ON CONFLICT (tenant_id, subject_id, kind, said) DO NOTHING
    RETURNING kind`,
);

const markAttempt: Statement = {
  name: 'mark_contradicted_attempt',
  text: `
    UPDATE disbursement_attempt a SET needs_operator = true
    WHERE a.tenant_id = $1 AND a.id = $2 AND NOT a.needs_operator`,
};

const unexamined: Statement = {
  name: 'unexamined_contradictions',
  text: `
    SELECT c.id FROM provider_contradiction c
    JOIN jsonb_to_recordset($3::jsonb) AS s (kind text, said text) ON s.kind = c.kind AND s.said = c.said
    WHERE c.tenant_id = $1 AND c.subject_id = $2 AND c.finding IS NULL
    LIMIT 1`,
};

export interface Recorded {
  /** The provider said it for the first time. */
  readonly news: boolean;
  /** No person has looked at it yet. */
  readonly open: boolean;
}

/**
 * Records contradictions and marks the attempt for an operator. The payout does not move, and cannot be
 * replaced until a person has examined them. For an enrollment the payout is null.
 */
export async function recordContradictions(
  client: PoolClient,
  scope: Scope,
  about: { readonly id: string; readonly payoutId: string | null; readonly provider: string },
  contradictions: readonly Contradiction[],
  { source, eventId }: Source,
): Promise<Recorded> {
  const { tenantId: tenant } = scope;
  const said = JSON.stringify(contradictions);
  const noted = await rows(
    client,
    insertContradictions,
    insertContradictions.of({
      tenant,
      subject: about.id,
      payout: about.payoutId,
      provider: about.provider,
      contradictions: said,
      source,
      event: eventId ?? null,
    }),
  );
  if (noted.length === 0) {
    return {
      news: false,
      open: (await firstRow(client, unexamined, [tenant, about.id, said])) !== null,
    };
  }
  await rows(client, markAttempt, [tenant, about.id]);
  return { news: true, open: true };
}

const noteTold: Statement = {
  name: 'note_told',
  text: `
    UPDATE disbursement_attempt a SET
      paid_told_at = greatest(a.paid_told_at, $3::timestamptz(3)),
      ended_told_at = least(a.ended_told_at, $4::timestamptz(3))
    WHERE a.tenant_id = $1 AND a.id = $2
      AND (greatest(a.paid_told_at, $3::timestamptz(3)) IS DISTINCT FROM a.paid_told_at
        OR least(a.ended_told_at, $4::timestamptz(3)) IS DISTINCT FROM a.ended_told_at)`,
};

/** When a claim says that money was paid, or that the payment ended; ISO 8601. */
export function timesOf({ says, at }: Pick<Claim, 'says' | 'at'>): {
  readonly paid: string | null;
  readonly ended: string | null;
} {
  // The columns have milliseconds. PostgreSQL would round to them; comparisons cut.
  const time = new Date(at).toISOString();
  return {
    paid: says === 'disbursed' || says === 'settled' ? time : null,
    ended: says === 'failed' || says === 'returned' ? time : null,
  };
}

/** Notes when money was paid or the payment ended, by the provider's clock. Later claims are compared with it. */
export async function noteTimes(
  client: PoolClient,
  scope: Scope,
  attempt: Pick<DisbursementAttempt, 'id'>,
  claim: Pick<Claim, 'says' | 'at'>,
): Promise<void> {
  const { paid, ended } = timesOf(claim);
  if (paid === null && ended === null) return;
  await rows(client, noteTold, [scope.tenantId, attempt.id, paid, ended]);
}

const noteExecution = named(
  'note_execution_told',
  ['tenant', 'attempts'],
  `
    UPDATE disbursement_attempt a SET executed_told_at = now()
    WHERE a.tenant_id = @tenant AND a.id = ANY (@attempts::text[]) AND a.executed_told_at IS NULL`,
);

const failedPayouts = named(
  'failed_payouts_of_attempts',
  ['tenant', 'payouts'],
  `
    SELECT p.id FROM payout p
    WHERE p.tenant_id = @tenant AND p.id = ANY (@payouts::text[]) AND p.state = 'failed'`,
);

/** A payment of which something said that money moved. */
export interface ToldOfMoney {
  readonly attemptId: string;
  readonly payoutId: string;
  /** What said it: codes and ids. */
  readonly said: string;
  /** Whether an event says the same, which is compared with the attempt when it is applied. */
  readonly isEvent: boolean;
}

/**
 * Notes that money moved for attempts, as a bank says, whatever else it says of them: a refusal contradicts it from then
 * on. Where the payout has failed already, that is a contradiction at once. The transaction of `client` holds the locks
 * of the attempts, so a refusal comes wholly before or after it.
 */
export async function noteMoney(
  client: PoolClient,
  scope: Scope,
  provider: string,
  told: readonly ToldOfMoney[],
  source: Source,
): Promise<void> {
  if (told.length === 0) return;
  const { tenantId: tenant } = scope;
  const attempts = told.map(({ attemptId }) => attemptId);
  await rows(client, noteExecution, noteExecution.of({ tenant, attempts }));
  const alone = told.filter(({ isEvent }) => !isEvent);
  if (alone.length === 0) return;
  const payouts = alone.map(({ payoutId }) => payoutId);
  const found = await rows<{ id: string }>(
    client,
    failedPayouts,
    failedPayouts.of({ tenant, payouts }),
  );
  const failed = new Set(found.map(({ id }) => id));
  for (const { attemptId: id, payoutId, said } of alone) {
    if (!failed.has(payoutId)) continue;
    const doubt = { kind: 'outcome', said, expected: 'failed' } as const;
    await recordContradictions(client, scope, { id, payoutId, provider }, [doubt], source);
  }
}
