import { cell, utc, type CsvSource, type Quote } from './csv.ts';

/** Each list of a result as `un 3 of 2026-08-21 (current)`. */
const lists = `(
  SELECT string_agg(concat_ws(' ', l ->> 'kind', l ->> 'sequence', 'of ' || (l ->> 'listedOn'), '(' || (l ->> 'state') || ')'), ', ')
  FROM jsonb_array_elements(r.lists) l)`;

/** The columns of the file: who was screened when against what, by ids. The names stay where they can be erased. */
const columns = {
  screening_id: 'r.id',
  beneficiary_id: 'r.beneficiary_id',
  screened_at: utc('r.screened_at'),
  cause: 'r.cause',
  engine: 'r.engine',
  lists,
  incomplete: 'r.incomplete',
  threshold: 'r.threshold',
  hits: 'r.hits',
  best_score: 'r.best_score',
  hit_id: 'h.id',
  list: 'h.kind',
  entry: cell('h.ref'),
  score: 'h.score',
  ofac: 'h.ofac',
  found_at: utc('h.found_at'),
  status: 'h.status',
  decided_at: utc('d.decided_at'),
  decided_by: `d.actor ->> 'user_id'`,
  reason: cell('d.reason'),
  evidence: cell('d.evidence'),
};

/**
 * What the file of all results is made of, for one tenant, oldest first: a line for each, and one for each hit of which
 * it is the latest result.
 */
export function screeningsSource(tenantId: string): CsvSource {
  const from = (quote: Quote) => `
    FROM screening_result r
    LEFT JOIN screening_hit h ON h.tenant_id = r.tenant_id AND h.result_id = r.id
    LEFT JOIN LATERAL (
      SELECT x.* FROM screening_decision x
      WHERE x.tenant_id = h.tenant_id AND x.hit_id = h.id ORDER BY x.seq DESC LIMIT 1
    ) d ON true
    WHERE r.tenant_id = ${quote(tenantId)}
    ORDER BY r.id, h.id`;
  return { tenantId, columns, from };
}

const dayColumns = {
  day: `to_char(g.day, 'YYYY-MM-DD')`,
  list: 'k.kind',
  version: 'v.sequence',
  listed_on: `to_char(v.listed_on, 'YYYY-MM-DD')`,
  age_days: 'g.day::date - v.listed_on',
  entries: 'v.entries',
  sha256: 'v.sha256',
};

/** What the file of the lists is made of: for each day, in UTC, the version that was in use at its end, and its age. */
export function watchlistDaysSource(tenantId: string): CsvSource {
  const from = () => `
    FROM (
      SELECT w.kind, min(w.ended_at) AS since FROM watchlist_version w WHERE w.sequence IS NOT NULL GROUP BY w.kind
    ) k
    CROSS JOIN LATERAL generate_series(
      (k.since AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date, interval '1 day'
    ) AS g (day)
    CROSS JOIN LATERAL (
      SELECT x.* FROM watchlist_version x
      WHERE x.kind = k.kind AND x.sequence IS NOT NULL AND x.ended_at < (g.day + interval '1 day') AT TIME ZONE 'UTC'
      ORDER BY x.sequence DESC LIMIT 1
    ) v
    ORDER BY g.day, k.kind`;
  return { tenantId, columns: dayColumns, from };
}
