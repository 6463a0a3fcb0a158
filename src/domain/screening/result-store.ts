import type { PoolClient } from 'pg';
import { named } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { Subject } from '../../screening/subject.ts';
import { newId } from '../../values/ids.ts';
import type { Hit, Screening } from './port.ts';
import { seal, type Explained } from './sealed.ts';

/** Why a payee was screened: it is new or was changed, a list was, or its last result was too old. */
export type ScreeningCause = 'payee' | 'list' | 'asked';

/** What the screening says of a payee. All but `clear` keep it from being paid. */
export type ScreeningStanding = 'pending' | 'clear' | 'incomplete' | 'hit' | 'confirmed';

const insertResult = named(
  'insert_screening_result',
  [
    'tenant',
    'id',
    'beneficiary',
    'cause',
    'engine',
    'lists',
    'incomplete',
    'threshold',
    'hits',
    'best',
    'subject',
    'hash',
  ],
  `
    INSERT INTO screening_result (
      tenant_id, id, beneficiary_id, cause, engine, lists, incomplete, threshold, hits, best_score, subject_ciphertext,
      subject_hash
    ) VALUES (
      @tenant, @id, @beneficiary, @cause, @engine, @lists, @incomplete, @threshold, @hits, @best, @subject, @hash
    )`,
);

/**
 * A pair that was decided stays decided. One that was gone and is found again is open again. The time is that of the
 * write, since the payee's row may have been waited for: what is handed over later was not permitted.
 */
const insertHit = named(
  'insert_screening_hit',
  [
    'tenant',
    'id',
    'beneficiary',
    'result',
    'kind',
    'ref',
    'digest',
    'hash',
    'score',
    'ofac',
    'explained',
  ],
  `
    INSERT INTO screening_hit AS h (
      tenant_id, id, beneficiary_id, result_id, kind, ref, entry_digest, subject_hash, score, ofac, explained_ciphertext,
      found_at
    ) VALUES (
      @tenant, @id, @beneficiary, @result, @kind, @ref, @digest, @hash, @score, @ofac, @explained, command.clock()
    )
    ON CONFLICT (tenant_id, beneficiary_id, kind, ref, entry_digest, subject_hash) DO UPDATE
      SET result_id = excluded.result_id, updated_at = excluded.updated_at,
        status = CASE h.status WHEN 'gone' THEN 'open' ELSE h.status END,
        found_at = CASE h.status WHEN 'gone' THEN excluded.found_at ELSE h.found_at END
    RETURNING coalesce(old.status, 'gone') = 'gone' AS "waits"`,
);

const leave = named(
  'end_screening_hits',
  ['tenant', 'beneficiary', 'result', 'unanswered'],
  `
    UPDATE screening_hit h SET status = 'gone', updated_at = now()
    WHERE h.tenant_id = @tenant AND h.beneficiary_id = @beneficiary AND h.status = 'open' AND h.result_id <> @result
      AND h.kind <> ALL (@unanswered::text[])
    RETURNING h.id`,
);

const stand = named(
  'note_screening_of_beneficiary',
  ['tenant', 'beneficiary', 'screening'],
  `
    UPDATE beneficiary b SET screening = @screening, screened_at = now()
    WHERE b.tenant_id = @tenant AND b.id = @beneficiary`,
);

const restand = named(
  'change_screening_of_beneficiary',
  ['tenant', 'beneficiary', 'screening'],
  `UPDATE beneficiary b SET screening = @screening WHERE b.tenant_id = @tenant AND b.id = @beneficiary`,
);

const worst = named(
  'worst_screening_hit',
  ['tenant', 'beneficiary'],
  `
    SELECT CASE WHEN bool_or(h.status = 'confirmed') THEN 'confirmed' WHEN bool_or(h.status = 'open') THEN 'hit' END AS standing
    FROM screening_hit h WHERE h.tenant_id = @tenant AND h.beneficiary_id = @beneficiary`,
);

/**
 * What the hits of a payee, whose row is locked, come to.
 *
 * @param otherwise where none is open or confirmed
 */
export async function standingOf(
  client: PoolClient,
  { scope }: Call,
  beneficiary: string,
  otherwise: 'clear' | 'incomplete',
): Promise<ScreeningStanding> {
  const values = worst.of({ tenant: scope.tenantId, beneficiary });
  const row = await firstRow<{ standing: 'confirmed' | 'hit' | null }>(client, worst, values);
  return row?.standing ?? otherwise;
}

/** Notes on the locked row of a payee what its latest result says. */
export async function noteStanding(
  client: PoolClient,
  { scope }: Call,
  beneficiary: string,
  screening: ScreeningStanding,
): Promise<void> {
  await rows(client, stand, stand.of({ tenant: scope.tenantId, beneficiary, screening }));
}

/** Notes on the locked row of a payee what a decision made of its hits. */
export async function changeStanding(
  client: PoolClient,
  { scope }: Call,
  beneficiary: string,
  screening: ScreeningStanding,
): Promise<void> {
  await rows(client, restand, restand.of({ tenant: scope.tenantId, beneficiary, screening }));
}

const explain = ({ entry, subjectName, listedName, reasons }: Hit): Explained => ({
  subjectName,
  listedName,
  listedNames: entry.names,
  listedBirths: entry.births,
  listedCountries: [...entry.nationalities, ...entry.places],
  programmes: entry.programmes,
  reasons,
});

export interface NewResult {
  readonly cause: ScreeningCause;
  readonly screening: Screening;
  readonly threshold: number;
  readonly subject: Subject;
  readonly subjectHash: Buffer;
}

/** What a result changed of the hits of a payee. */
interface HitsChanged {
  /** How many wait for a decision that nobody was asked about before. */
  readonly fresh: number;
  /** How many waited, and no list has them any more. */
  readonly gone: number;
}

/** Records what an engine answered about a payee, whose row is locked, and its hits. */
export async function recordResult(
  client: PoolClient,
  call: Call,
  beneficiary: string,
  { cause, screening, threshold, subject, subjectHash: hash }: NewResult,
): Promise<HitsChanged> {
  const tenant = call.scope.tenantId;
  const result = newId('screeningResult');
  const { hits, lists, answered } = screening;
  const kept = lists.map(({ kind, state, sequence, sha256, listedOn }) => ({
    kind,
    state,
    sequence,
    sha256,
    listedOn,
  }));
  const values = insertResult.of({
    tenant,
    id: result,
    beneficiary,
    cause,
    engine: screening.engine,
    lists: JSON.stringify(kept),
    incomplete: screening.incomplete,
    threshold,
    hits: hits.length,
    best: hits[0]?.score ?? null,
    subject: seal(call, result, 'subject', subject),
    hash,
  });
  await rows(client, insertResult, values);
  let fresh = 0;
  for (const hit of hits) {
    const id = newId('screeningHit');
    const row = insertHit.of({
      tenant,
      id,
      beneficiary,
      result,
      kind: hit.kind,
      ref: hit.entry.id,
      digest: hit.digest,
      hash,
      score: hit.score,
      ofac: hit.ofac,
      explained: seal(call, id, 'explained', explain(hit)),
    });
    const found = await firstRow<{ waits: boolean }>(client, insertHit, row);
    fresh += found?.waits === true ? 1 : 0;
  }
  // A list that did not answer says nothing of the hits that it gave before.
  const unanswered = lists.map(({ kind }) => kind).filter((kind) => !answered.includes(kind));
  const left = await rows(client, leave, leave.of({ tenant, beneficiary, result, unanswered }));
  return { fresh, gone: left.length };
}
