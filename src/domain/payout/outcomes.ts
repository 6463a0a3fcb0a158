import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, inTransaction, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { failureCodes } from '../../providers/port.ts';
import type { Services } from '../../process/services.ts';
import { horizonSql } from '../horizon.ts';

/** A pass reads the records of this time at most; a run makes passes until it has caught up with a day. */
const passSeconds = 600;
const maximumPasses = 144;

/** Holds off another run until the end of the transaction. */
const mark = platformStatement({
  name: 'payout_outcome_mark',
  text: 'SELECT counted_until AS since FROM payout_outcome_mark FOR UPDATE',
});

/** A later record may be of a transaction that is not seen yet. */
const until = platformStatement({
  name: 'payout_outcome_until',
  text: `SELECT least(h.at, $1::timestamptz + make_interval(secs => ${passSeconds})) AS until,
    h.at > $1::timestamptz + make_interval(secs => ${passSeconds}) AS more FROM ${horizonSql} AS h(at)`,
});

/** Adds what ended in a range of time, which an index of ended payouts gives. */
export const addOutcomes = namedOfPlatform(
  'payout_outcomes_add',
  ['since', 'until'],
  `
    INSERT INTO payout_outcome AS o (environment, provider, route, state, code, payouts)
    SELECT n.environment, split_part(coalesce(p.provider, 'none'), ':', 1),
      p.currency, t.to_state,
      CASE WHEN t.to_state IN ('failed', 'returned') THEN coalesce(p.failure_code, 'other') ELSE '' END, count(*)
    FROM across.payout_transition t
    JOIN across.payout p ON p.tenant_id = t.tenant_id AND p.id = t.payout_id
    JOIN tenant n ON n.id = t.tenant_id
    WHERE t.to_state IN ('settled', 'failed', 'returned', 'rejected', 'canceled')
      AND t.recorded_at >= @since AND t.recorded_at < @until
    GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (environment, provider, route, state, code) DO UPDATE SET payouts = o.payouts + excluded.payouts`,
);

/** Every outcome: its state, and the code of a failure. */
const outcomes = [
  ...['settled', 'rejected', 'canceled'].map((state) => [state, ''] as const),
  ...['failed', 'returned'].flatMap((state) => failureCodes.map((code) => [state, code] as const)),
];

/** A counter that began with its first failure would not show that one as an increase, so it begins at nothing. */
const begin = namedOfPlatform(
  'payout_outcomes_begin',
  ['states', 'codes'],
  `
    INSERT INTO payout_outcome (environment, provider, route, state, code, payouts)
    SELECT g.environment, g.provider, g.route, w.state, w.code, 0
    FROM (SELECT DISTINCT environment, provider, route FROM payout_outcome) g
    CROSS JOIN unnest(@states::text[], @codes::text[]) w(state, code)
    ORDER BY g.environment, g.provider, g.route, w.state, w.code
    ON CONFLICT DO NOTHING`,
);

const move = namedOfPlatform(
  'payout_outcome_mark_move',
  ['until'],
  'UPDATE payout_outcome_mark SET counted_until = @until WHERE counted_until < @until',
);

/** Counts the records of one pass, each once: the counter and the mark move together. Resolves with whether more wait. */
async function pass(client: Queryable): Promise<boolean> {
  const found = await firstRow<{ since: Date }>(client, mark, []);
  if (found === null) throw new Error('payout_outcome_mark has no row');
  const bound = await firstRow<{ until: Date; more: boolean }>(client, until, [found.since]);
  if (bound === null || bound.until <= found.since) return false;
  await rows(client, addOutcomes, addOutcomes.of({ since: found.since, until: bound.until }));
  const states = outcomes.map(([state]) => state);
  await rows(client, begin, begin.of({ states, codes: outcomes.map(([, code]) => code) }));
  await rows(client, move, move.of({ until: bound.until }));
  return bound.more;
}

/**
 * Adds to `payout_outcome` how payouts have ended since the last run, up to the horizon before which every record can be
 * seen. It reads the new records alone, by an index. Safe to run twice at once and to be killed anywhere.
 */
export async function countOutcomes({ pool }: Services): Promise<void> {
  for (let passes = 0; passes < maximumPasses; passes += 1) {
    if (!(await inTransaction(pool, pass))) return;
  }
}
