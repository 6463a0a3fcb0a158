import { setImmediate } from 'node:timers/promises';
import { inTransaction } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { enqueueMany, enqueueMissing } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { differenceOf, type Difference } from '../../screening/match/difference.ts';
import { legalName, type BeneficiaryType } from '../beneficiary/identity.ts';
import { openPersonal } from '../encryption/personal.ts';
import {
  advancePass,
  beginPass,
  confirmScreening,
  finishPass,
  nextOpenHits,
  nextPayees,
  overduePayees,
  readProgress,
  type PassPayee,
} from './pass-store.ts';
import { demandedKinds, engineOf } from './engine.ts';
import { findPolicy } from './policy-store.ts';
import type { Versions } from './port.ts';
import { screenBeneficiary } from './screen.ts';
import { areStillSo, entriesSince, sameVersions } from './versions-store.ts';

/** Payees that are read together. */
const pageSize = 1_000;
/** After so long a run leaves the rest to the next one, so that the worker gets to other jobs. */
const runMs = 20_000;
/** A difference of more entries is not held in memory: every payee is screened. */
const mostEntries = 20_000;

/** Which payees are worth a screening; null for all. */
async function differenceFrom(call: Call, before: Versions): Promise<Difference | null> {
  const { pool, config } = call.services;
  const engine = engineOf(call.services);
  if (!engine.knowsDifferences || Object.keys(before).length === 0) return null;
  const policy = await findPolicy(pool, call.scope);
  if (policy === null) return null;
  const kinds = await demandedKinds(engine, policy);
  const entries = await entriesSince(pool, before, kinds, mostEntries + 1);
  return entries.length > mostEntries ? null : differenceOf(entries, config.SCREENING_THRESHOLD);
}

function isWorthIt(call: Call, difference: Difference | null, payee: PassPayee): boolean {
  // Without a whole result it has nothing to compare a difference with.
  if (difference === null || payee.screening === null || payee.screening === 'incomplete') {
    return true;
  }
  const beneficiaryType = payee.beneficiaryType as BeneficiaryType; // held by a CHECK constraint
  const numbers = difference.hasNumbers
    ? [
        openPersonal(call, 'beneficiary', payee, 'registrationNumber'),
        openPersonal(call, 'beneficiary', payee, 'taxId'),
      ]
    : [];
  return difference.mayHit({
    type: beneficiaryType === 'person' ? 'person' : 'organisation',
    names: [legalName({ ...payee, beneficiaryType })],
    birth: null,
    countries: [],
    identifiers: numbers.filter((number) => number !== null),
  });
}

/** Screens those whose open hit is of an entry that is gone or another one by now. */
async function screenOpenHits(call: Call): Promise<void> {
  const { pool } = call.services;
  let after = '';
  for (;;) {
    const hits = await nextOpenHits(pool, call.scope, after, pageSize);
    const still = await areStillSo(pool, hits);
    const payees = hits.filter((_hit, at) => still[at] !== true).map((hit) => hit.beneficiaryId);
    for (const payee of new Set(payees)) await screenBeneficiary(call, payee, 'list');
    const last = hits.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Goes on in a job of its own, after whatever else waits. */
async function continueLater(call: Call): Promise<void> {
  const payload = { tenantId: call.scope.tenantId };
  const options = [{ jobKey: jobKeyOf('rescreen_tenant', payload) }];
  await inTransaction(call.services.pool, (client) =>
    enqueueMany(client, 'rescreen_tenant', [payload], options),
  );
}

/** Looks at the payees that follow `from`, for a while. */
async function goThrough(
  call: Call,
  pass: { readonly screened: Versions; readonly target: Versions; readonly from: string },
): Promise<void> {
  const { pool } = call.services;
  const { screened, target } = pass;
  const until = Date.now() + runMs;
  if (pass.from === '' && engineOf(call.services).knowsDifferences) await screenOpenHits(call);
  const difference = await differenceFrom(call, screened);
  let { from } = pass;
  for (;;) {
    const payees = await nextPayees(pool, call.scope, from, pageSize);
    const done = await screenSome(call, difference, payees, until);
    const to = payees[done - 1]?.id ?? from;
    if (to !== from && !(await advancePass(pool, call.scope, target, { from, to }))) return;
    if (done === payees.length && done < pageSize) {
      await finishPass(pool, call.scope, target);
      await confirm(call);
      return;
    }
    if (Date.now() >= until) {
      await continueLater(call);
      return;
    }
    from = to;
  }
}

/** Screens those of some payees who are worth it, until a time. Returns how many it looked at, of some at least one. */
async function screenSome(
  call: Call,
  difference: Difference | null,
  payees: readonly PassPayee[],
  until: number,
): Promise<number> {
  let done = 0;
  for (const payee of payees) {
    if (isWorthIt(call, difference, payee)) await screenBeneficiary(call, payee.id, 'list');
    else if (done % 50 === 0) await setImmediate();
    done += 1;
    if (Date.now() >= until) break;
  }
  return done;
}

/** Notes that the results hold, where every list that is demanded is current; else they grow old. */
async function confirm(call: Call): Promise<void> {
  const { pool } = call.services;
  const engine = engineOf(call.services);
  const policy = await findPolicy(pool, call.scope);
  if (policy === null) return;
  const kinds = await demandedKinds(engine, policy);
  const standings = await engine.standings(kinds);
  const overdue = await overduePayees(pool, call.scope, pageSize);
  const jobs = overdue.map((beneficiaryId) => ({
    payload: { tenantId: call.scope.tenantId, beneficiaryId },
  }));
  if (jobs.length > 0) await enqueueMissing(pool, 'screen_beneficiary', jobs);
  if (standings.every(({ state }) => state === 'current')) {
    await confirmScreening(pool, call.scope, await engine.versions());
  }
}

/**
 * Screens the payees of a tenant against what changed in the lists since the last pass, all of them after the first
 * list. As a job of some seconds, which notes how far it came and adds the next one: one that dies goes on where it was.
 * Who is registered or changed meanwhile has a job of its own, with the lists that are in use by then.
 */
export async function rescreenTenant(call: Call): Promise<void> {
  const { pool } = call.services;
  const before = await readProgress(pool, call.scope);
  if (before === null) return;
  if (before.target === null) {
    const target = await engineOf(call.services).versions();
    if (sameVersions(before.screened, target)) {
      await confirm(call);
      return;
    }
    await beginPass(pool, call.scope, target);
  }
  const progress = await readProgress(pool, call.scope);
  if (progress === null || progress.target === null || progress.after === null) return;
  const { screened, target, after: from } = progress;
  await goThrough(call, { screened, target, from });
}
