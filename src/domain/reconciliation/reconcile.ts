import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { jobScope } from '../../access/system.ts';
import { inTransaction } from '../../db/pool.ts';
import { ProviderError, type ProviderPayout } from '../../providers/port.ts';
import { enqueueMissing } from '../../queue/queue.ts';
import type { Services } from '../../process/services.ts';
import { resumeOpenEvents } from '../provider-event/inbox.ts';
import { providerNamed } from '../provider-connection/open.ts';
import { applyAnswer } from '../disbursement/answer.ts';
import {
  claimQuietAttempts,
  findStalledEnrollments,
  findStalledPayouts,
  findUnreleased,
  lookUpSoon,
  type Stalled,
} from './reconcile-store.ts';
import { makeReference } from '../../providers/reference.ts';
import { lockAttempt } from '../disbursement/store.ts';

/** The bounds of one run. The next one, a minute later, does the rest. */
const batchSize = 500;
const maximumBatches = 20;
const lookUpBatch = 100;
const lookUpsAtOnce = 5;

/**
 * Finds payouts that are stalled between approval and settlement, or held for a suspension that is over, and goes
 * on with them: it adds lost jobs again, and asks a provider that has been silent for long. It submits nothing itself, since the
 * disbursement job decides whether the same key may be sent again. It leaves alone what waits for an
 * operator. Safe to run twice at once.
 */
export async function reconcilePayouts(services: Services): Promise<void> {
  const { config, log } = services;
  const seconds = config.RECONCILE_STALLED_AFTER;
  const payouts = await resumeStalled(services, seconds);
  const enrollments = await resumeEnrollments(services, seconds);
  const events = await resumeOpenEvents(services, seconds, batchSize);
  const releases = await resumeReleases(services, seconds);
  if (payouts + enrollments + events + releases > 0) {
    log.info(
      { payouts, enrollments, events, releases },
      'added jobs for payouts, enrollments, events and releases without progress',
    );
  }
  await lookUpQuiet(services, 'approved', config.RECONCILE_SUBMITTED_AFTER);
  await lookUpQuiet(services, 'disbursed', config.RECONCILE_DISBURSED_AFTER);
}

/** The environments in which a provider pays. */
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

/** Payouts that a suspension holds wait for the job that its end adds. */
async function resumeReleases({ pool }: Services, seconds: number): Promise<number> {
  const unreleased = await findUnreleased(pool, { seconds, take: batchSize });
  const jobs = unreleased.map(({ tenantId, id }) => ({ payload: { tenantId, beneficiaryId: id } }));
  return enqueueMissing(pool, 'release_payouts', jobs);
}

/** Adds the lost jobs of payouts, none beside one that waits or runs. */
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
    // A provider that fails is not asked a thousand times. The next run goes on.
    if (!answered || quiet.length < lookUpBatch) return;
  }
}

/** Looks one attempt up and applies the answer. Returns false if there was none. */
async function lookUp(
  services: Services,
  attempt: DisbursementAttempt,
  seconds: number,
): Promise<boolean> {
  const { pool, log } = services;
  const about = { payout_id: attempt.payoutId, attempt_id: attempt.id };
  const actor = { type: 'provider', name: attempt.provider } as const;
  const scope = await jobScope(pool, attempt.tenantId, actor);
  const provider = await providerNamed({ scope, services }, pool, attempt.provider);
  if (provider === null) {
    log.error(
      { ...about, provider: attempt.provider },
      'the provider of an attempt is not configured',
    );
    return true;
  }
  let found: readonly ProviderPayout[];
  try {
    const reference = makeReference(attempt.tenantId, attempt.id);
    found = await provider.lookUp({ reference, recipientId: attempt.recipientId });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn(
      { ...about, verdict: error.verdict },
      'the provider did not answer the reconciliation',
    );
    await lookUpSoon(pool, attempt, seconds);
    return false;
  }
  await record(services, scope, attempt, found);
  return true;
}

async function record(
  services: Services,
  scope: Scope,
  attempt: DisbursementAttempt,
  found: readonly ProviderPayout[],
): Promise<void> {
  const { pool, log } = services;
  const result = await inTransaction(pool, async (client) => {
    const locked = await lockAttempt(client, scope, attempt.id);
    return locked === null ? 'nothing' : applyAnswer(client, scope, locked, found);
  });
  const about = { payout_id: attempt.payoutId, attempt_id: attempt.id, found: found.length };
  if (result === 'applied') log.info(about, 'reconciled with the provider');
  if (result === 'contradicts') {
    log.error(about, 'the provider contradicts itself about a payment');
  }
}
