import type { Check } from './check.ts';

/** What must hold of payees who may be on a list of sanctions. */
export const screeningChecks: readonly Check[] = [
  {
    invariant: 'M13',
    promise: 'Nothing was handed over for a payee with an open or confirmed hit.',
    sql: `
      SELECT a.payout_id AS id, concat_ws(' ', a.id, h.id, h.status) AS detail
      FROM attempts a
      JOIN payout p ON p.tenant_id = a.tenant_id AND p.id = a.payout_id
      JOIN screening_hit h ON h.tenant_id = p.tenant_id AND h.beneficiary_id = p.beneficiary_id
      LEFT JOIN LATERAL (
        SELECT d.to_status, d.decided_at FROM screening_decision d
        WHERE d.tenant_id = h.tenant_id AND d.hit_id = h.id ORDER BY d.seq DESC LIMIT 1
      ) d ON true
      WHERE a.prepared_at > h.found_at AND CASE h.status
        WHEN 'cleared' THEN a.prepared_at < d.decided_at
        WHEN 'gone' THEN a.prepared_at < h.updated_at
        ELSE true END`,
  },
  {
    invariant: 'M13',
    promise: 'A payee with an open or confirmed hit is barred.',
    sql: `
      SELECT b.id, concat_ws(' ', h.id, h.status, b.screening) AS detail
      FROM screening_hit h JOIN beneficiary b ON b.tenant_id = h.tenant_id AND b.id = h.beneficiary_id
      WHERE h.status IN ('open', 'confirmed') AND b.erased_at IS NULL
        AND coalesce(b.screening, 'clear') NOT IN ('hit', 'confirmed')`,
  },
];
