import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import { jobScope } from '../../access/system.ts';
import { inTransaction } from '../../db/pool.ts';
import { ProviderError, type ProviderPayout } from '../../providers/port.ts';
import { enqueueMissing } from '../../queue/queue.ts';
import type { Services } from '../../process/services.ts';
import { resumeOpenEvents } from '../provider-event/inbox.ts';
import { applyAnswer } from '../disbursement/answer.ts';
import {
  claimQuietAttempts,
  findStalledEnrollments,
  findStalledPayouts,
  lookUpSoon,
  type Stalled,
} from './reconcile-store.ts';
import { makeReference } from '../../providers/reference.ts';
import { lockAttempt } from '../disbursement/store.ts';

/** Bounds of one run; what is beyond them is the next one's, a minute later. */
const batchSize = 500;
const maximumBatches = 20;
const lookUpBatch = 100;
const lookUpsAtOnce = 5;

/**
 * Finds payouts that stand still on their way and brings them on (invariant L1): a lost job is added
 * again, and a provider that told nothing for long is asked. It sends nothing itself: whether the
 * same key may be sent again is the disbursement job's to judge, and what waits for an operator
 * stays. Safe to run twice at once.
 */
export async function reconcilePayouts(services: Services): Promise<void> {
  const { config, log } = services;
  const seconds = config.RECONCILE_STALLED_AFTER;
  const payouts = await resumeStalled(services, seconds);
  const enrollments = await resumeEnrollments(services, seconds);
  const events = await resumeOpenEvents(services, seconds, batchSize);
  if (payouts + enrollments + events > 0) {
    log.info({ payouts, enrollments, events }, 'gave what stood still a job');
  }
  await lookUpQuiet(services, 'approved', config.RECONCILE_SUBMITTED_AFTER);
  await lookUpQuiet(services, 'disbursed', config.RECONCILE_DISBURSED_AFTER);
}

/** Those in which a provider pays. */
function payingEnvironments({ providers }: Services): readonly string[] {
  return (['sandbox', 'production'] as const).filter(
    (environment) => providers.forEnvironment(environment) !== null,
  );
}

async function resumeStalled(services: Services, seconds: number): Promise<number> {
  const { pool } = services;
  const environments = payingEnvironments(services);
  let added = 0;
  let after: Stalled = { tenantId: '', id: '', updatedAt: new Date(0) };
  for (let batch = 0; batch < maximumBatches; batch += 1) {
    const search = { seconds, environments, after, take: batchSize };
    const stalled = await findStalledPayouts(pool, search);
    added += await addJobs(services, stalled);
    const last = stalled.at(-1);
    if (last === undefined || stalled.length < batchSize) break;
    after = last;
  }
  return added;
}

/** An enrollment that stays pending excludes every other of its beneficiary, and payouts wait for it. */
async function resumeEnrollments(services: Services, seconds: number): Promise<number> {
  const { pool } = services;
  const environments = payingEnvironments(services);
  const stalled = await findStalledEnrollments(pool, { seconds, environments, take: batchSize });
  const jobs = stalled.map(({ tenantId, id }) => ({ payload: { tenantId, enrollmentId: id } }));
  return enqueueMissing(pool, 'enroll_bank_account', jobs);
}

/**
 * A job of the approval has no key and is not seen here; a second one is then added, under the key
 * that the retries use. Of two runs, the database lets one hand over.
 */
function addJobs({ pool }: Services, stalled: readonly Stalled[]): Promise<number> {
  const jobs = stalled.map(({ tenantId, id }) => ({ payload: { tenantId, payoutId: id } }));
  return enqueueMissing(pool, 'disburse_payout', jobs);
}

async function lookUpQuiet(
  services: Services,
  state: 'approved' | 'disbursed',
  seconds: number,
): Promise<void> {
  for (let batch = 0; batch < maximumBatches; batch += 1) {
    const quiet = await claimQuietAttempts(services.pool, state, seconds, lookUpBatch);
    let answered = true;
    for (let at = 0; at < quiet.length; at += lookUpsAtOnce) {
      const answers = await Promise.all(
        quiet.slice(at, at + lookUpsAtOnce).map((attempt) => lookUp(services, attempt, seconds)),
      );
      answered &&= answers.every(Boolean);
    }
    // A provider that fails is not asked a thousand times; the next run goes on.
    if (!answered || quiet.length < lookUpBatch) return;
  }
}

/** Asks for one attempt and applies the answer. Returns whether there was one. */
async function lookUp(
  services: Services,
  attempt: DisbursementAttempt,
  seconds: number,
): Promise<boolean> {
  const { pool, log } = services;
  const about = { payout_id: attempt.payoutId, attempt_id: attempt.id };
  const provider = services.providers.byName(attempt.provider);
  if (provider === null) {
    log.error({ ...about, provider: attempt.provider }, 'the provider is no longer configured');
    return true;
  }
  let found: readonly ProviderPayout[];
  try {
    found = await provider.lookUp(makeReference(attempt.tenantId, attempt.id));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ ...about, verdict: error.verdict }, 'reconciliation got no answer');
    await lookUpSoon(pool, attempt, seconds);
    return false;
  }
  await record(services, attempt, found);
  return true;
}

async function record(
  services: Services,
  attempt: DisbursementAttempt,
  found: readonly ProviderPayout[],
): Promise<void> {
  const { pool, log } = services;
  const actor = { type: 'provider', name: attempt.provider } as const;
  const scope = await jobScope(pool, attempt.tenantId, actor);
  const result = await inTransaction(pool, async (client) => {
    const locked = await lockAttempt(client, scope, attempt.id);
    return locked === null ? 'nothing' : applyAnswer(client, scope, locked, found);
  });
  const about = { payout_id: attempt.payoutId, attempt_id: attempt.id, found: found.length };
  if (result === 'applied') log.info(about, 'reconciled with the provider');
  if (result === 'contradicts') {
    log.error(about, 'the provider contradicts what it said of a payment');
  }
}
