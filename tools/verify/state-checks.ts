import type { Check } from './check.ts';

/** Whether the discriminator of an event is the number of a transition of its payout to that state. */
const isMove = (state: string): string => `EXISTS (
          SELECT FROM payout_transition t
          WHERE t.tenant_id = e.tenant_id AND t.payout_id = e.payout_id AND t.seq::text = e.discriminator
            AND t.to_state = ${state}
        )`;

/** What must hold for the records, decisions and events of payouts at any moment. */
export const stateChecks: readonly Check[] = [
  {
    invariant: 'S1',
    promise: "A payout's transitions are as many as its count, and the last one is its state.",
    sql: `
      SELECT p.id, concat_ws(' ', p.state, p.transition_count, count(t.seq)) AS detail FROM payout p
      LEFT JOIN payout_transition t ON t.tenant_id = p.tenant_id AND t.payout_id = p.id
      GROUP BY p.tenant_id, p.id, p.state, p.transition_count
      HAVING count(t.seq) <> p.transition_count OR max(t.seq) <> p.transition_count
        OR (array_agg(t.to_state ORDER BY t.seq DESC))[1] IS DISTINCT FROM p.state`,
  },
  {
    invariant: 'S1',
    promise: 'The records are a chain of permitted transitions.',
    sql: `
      SELECT t.payout_id AS id, concat_ws(' ', t.seq, t.from_state, t.to_state) AS detail
      FROM payout_transition t
      LEFT JOIN payout_transition b
        ON b.tenant_id = t.tenant_id AND b.payout_id = t.payout_id AND b.seq = t.seq - 1
      WHERE t.from_state <> coalesce(b.to_state, 'new') OR (t.seq > 1 AND b.seq IS NULL)
        OR NOT EXISTS (
          SELECT FROM payout_permitted_transition m
          WHERE m.from_state = t.from_state AND m.to_state = t.to_state
        )`,
  },
  {
    invariant: 'S1',
    promise: 'Each approval and each rejection has its decision.',
    sql: `
      SELECT p.id, concat_ws(' ', s.state, t.made, d.decided) AS detail FROM payout p
      CROSS JOIN (VALUES ('approved'), ('rejected')) AS s (state)
      CROSS JOIN LATERAL (
        SELECT count(*) AS made FROM payout_transition t
        WHERE t.tenant_id = p.tenant_id AND t.payout_id = p.id AND t.to_state = s.state
      ) t
      CROSS JOIN LATERAL (
        -- Several approvals may lead to one transition, or to none yet, where a policy demands them.
        SELECT count(DISTINCT CASE WHEN d.waiting_seq IS NULL THEN d.id ELSE d.waiting_seq::text END) AS decided
        FROM payout_decision d
        WHERE d.tenant_id = p.tenant_id AND d.payout_id = p.id AND d.status = s.state
          AND (d.waiting_seq IS NULL OR EXISTS (
            SELECT FROM payout_transition a
            WHERE a.tenant_id = d.tenant_id AND a.payout_id = d.payout_id AND a.to_state = 'approved'
              AND a.previous_seq = d.waiting_seq
          ))
      ) d
      WHERE t.made <> d.decided`,
  },
  {
    invariant: 'S1',
    promise:
      'Each transition that subscribers hear of has exactly one event, and no event lacks one.',
    sql: `
      SELECT p.id, concat_ws(' ', s.state, t.made, e.told) AS detail FROM payout p
      CROSS JOIN (VALUES ('disbursed'), ('settled'), ('failed'), ('returned')) AS s (state)
      CROSS JOIN LATERAL (
        SELECT count(*) AS made FROM payout_transition t
        WHERE t.tenant_id = p.tenant_id AND t.payout_id = p.id AND t.to_state = s.state
      ) t
      CROSS JOIN LATERAL (
        SELECT count(*) AS told FROM event e
        WHERE e.tenant_id = p.tenant_id AND e.payout_id = p.id AND e.type = 'payout.' || s.state
      ) e
      WHERE t.made <> e.told`,
  },
  {
    invariant: 'S1',
    promise: 'Submission, acknowledgment and estimates have the events that are due.',
    sql: `
      WITH due AS (
        SELECT p.tenant_id, p.id, p.estimate_count AS estimates,
          count(a.submitted_at) AS submitted, count(a.acknowledged_at) AS acknowledged
        FROM payout p LEFT JOIN disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id
        GROUP BY p.tenant_id, p.id, p.estimate_count
      ), told AS (
        SELECT d.tenant_id, d.id,
          count(*) FILTER (WHERE e.type = 'payout.disbursement_submitted') AS submitted,
          count(*) FILTER (WHERE e.type = 'payout.acknowledged') AS acknowledged,
          count(*) FILTER (WHERE e.type = 'payout.estimated_arrival_at') AS estimates
        FROM due d LEFT JOIN event e ON e.tenant_id = d.tenant_id AND e.payout_id = d.id
        GROUP BY d.tenant_id, d.id
      )
      SELECT d.id, format('submitted %s/%s acknowledged %s/%s estimates %s/%s', d.submitted, t.submitted,
        d.acknowledged, t.acknowledged, d.estimates, t.estimates) AS detail
      FROM due d JOIN told t ON t.tenant_id = d.tenant_id AND t.id = d.id
      WHERE (d.submitted, d.acknowledged, d.estimates) <> (t.submitted, t.acknowledged, t.estimates)`,
  },
  {
    invariant: 'S2',
    promise: 'An event id stands for one event, and an event of a payout has one id.',
    sql: `
      SELECT e.id, string_agg(e.payout_id, ', ') AS detail FROM event e
      GROUP BY e.id HAVING count(*) > 1
      UNION ALL
      SELECT e.payout_id, concat_ws(' ', e.type, e.discriminator, string_agg(e.id, ', ')) FROM event e
      WHERE e.payout_id IS NOT NULL
      GROUP BY e.tenant_id, e.payout_id, e.type, e.discriminator HAVING count(*) > 1`,
  },
  {
    invariant: 'S2',
    promise:
      'An acknowledgment is of an attempt, an approval and a hold of a transition, an expiry of a round of demands, and estimates are numbered without a gap.',
    sql: `
      SELECT e.id, concat_ws(' ', e.payout_id, e.type, e.discriminator) AS detail FROM event e
      JOIN payout p ON p.tenant_id = e.tenant_id AND p.id = e.payout_id
      WHERE CASE e.type
        WHEN 'payout.acknowledged' THEN NOT EXISTS (
          SELECT FROM disbursement_attempt a
          WHERE a.tenant_id = e.tenant_id AND a.payout_id = e.payout_id AND a.id = e.discriminator
        )
        WHEN 'payout.estimated_arrival_at' THEN e.discriminator::integer NOT BETWEEN 1 AND p.estimate_count
        WHEN 'payout.approved' THEN NOT ${isMove("'approved'")}
        WHEN 'payout.approval_expired' THEN NOT EXISTS (
          SELECT FROM payout_requirement r
          WHERE r.tenant_id = e.tenant_id AND r.payout_id = e.payout_id AND r.cause = 'expired'
            AND r.round::text = e.discriminator
        )
        WHEN 'payout.held' THEN NOT ${isMove("'compliance_hold'")}
        WHEN 'payout.released' THEN NOT ${isMove("'pending_approval'")}
        ELSE e.discriminator <> ''
      END`,
  },
  {
    invariant: 'S5',
    promise: 'A delivery has a record of each attempt, and one that is delivered has its 2xx.',
    sql: `
      SELECT d.id, concat_ws(' ', d.status, d.attempts, count(a.number)) AS detail FROM webhook_delivery d
      LEFT JOIN webhook_delivery_attempt a ON a.tenant_id = d.tenant_id AND a.delivery_id = d.id
      GROUP BY d.tenant_id, d.id, d.status, d.attempts
      HAVING count(a.number) <> d.attempts
        OR (d.status = 'delivered' AND count(*) FILTER (WHERE a.status_code BETWEEN 200 AND 299) = 0)`,
  },
  {
    invariant: 'T1',
    promise: "A provider's event concerns the tenant that its reference names.",
    sql: `
      SELECT v.event_id AS id, v.tenant_id AS detail FROM provider_event v
      WHERE v.status IN ('applied', 'ignored')
        AND v.event ->> 'reference' IS DISTINCT FROM v.tenant_id || '.' || v.subject_id`,
  },
];
