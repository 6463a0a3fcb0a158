import type { Check } from './check.ts';

/** Decisions that were counted for a policy, with the transition that they led to where they did. */
const counted = `
  SELECT d.*, t.seq AS approved_seq FROM payout_decision d
  LEFT JOIN payout_transition t ON t.tenant_id = d.tenant_id AND t.payout_id = d.payout_id AND t.to_state = 'approved'
    AND t.previous_seq = d.waiting_seq
  WHERE d.round IS NOT NULL`;

/**
 * What must hold for the approvals of payouts under a policy. What a person was at the moment of an approval is what the
 * decision recorded of them, which nobody can change later.
 */
export const approvalChecks: readonly Check[] = [
  {
    invariant: 'P1',
    promise:
      'Each payout that was approved under a policy has the approvals that were written down for it, by people who held the groups then.',
    sql: `
      WITH counted AS (${counted}),
      approved AS (
        SELECT DISTINCT c.tenant_id, c.payout_id, c.round, c.waiting_seq FROM counted c WHERE c.approved_seq IS NOT NULL
      ),
      demand AS (
        SELECT a.*, (d.ordinality - 1)::integer AS place, (d.value ->> 'approvals')::integer AS approvals,
          ARRAY(SELECT jsonb_array_elements_text(d.value -> 'groups')) || array_remove(ARRAY[d.value ->> 'escalateTo'], NULL) AS groups
        FROM approved a
        JOIN payout_requirement r ON r.tenant_id = a.tenant_id AND r.payout_id = a.payout_id AND r.round = a.round
        CROSS JOIN LATERAL jsonb_array_elements(r.demands) WITH ORDINALITY d
      )
      SELECT d.payout_id AS id, format('demand %s has %s of %s', d.place, count(DISTINCT c.submitted_by ->> 'user_id'), d.approvals) AS detail
      FROM demand d
      LEFT JOIN counted c ON c.tenant_id = d.tenant_id AND c.payout_id = d.payout_id AND c.round = d.round
        AND c.waiting_seq = d.waiting_seq AND d.place = ANY (c.demands) AND c.held_groups && d.groups
      GROUP BY d.tenant_id, d.payout_id, d.round, d.waiting_seq, d.place, d.approvals
      HAVING count(DISTINCT c.submitted_by ->> 'user_id') < d.approvals`,
  },
  {
    invariant: 'P1',
    promise: 'No payout that a policy demanded approvals of is approved without them.',
    sql: `
      SELECT t.payout_id AS id, concat_ws(' ', 'transition', t.seq) AS detail FROM payout_transition t
      WHERE t.to_state = 'approved' AND EXISTS (
        SELECT FROM payout_requirement r
        WHERE r.tenant_id = t.tenant_id AND r.payout_id = t.payout_id AND r.written_at <= t.occurred_at AND r.demands <> '[]'
      ) AND NOT EXISTS (
        SELECT FROM payout_decision d
        WHERE d.tenant_id = t.tenant_id AND d.payout_id = t.payout_id AND d.waiting_seq = t.previous_seq
      )`,
  },
  {
    invariant: 'P2',
    promise: 'No approval was counted for other facts than it was given for.',
    sql: `
      WITH counted AS (${counted})
      SELECT c.payout_id AS id, c.id AS detail FROM counted c
      JOIN payout p ON p.tenant_id = c.tenant_id AND p.id = c.payout_id
      WHERE c.approved_seq IS NOT NULL AND c.facts <> sha256(convert_to(jsonb_build_array(
        'payout.approve', p.amount_minor, p.currency, p.beneficiary_id, p.bank_account_id, p.bank_account_version
      )::text, 'UTF8'))`,
  },
  {
    invariant: 'P3',
    promise: 'Each approval of a step that asks for a passkey has its signature.',
    sql: `
      WITH counted AS (${counted})
      SELECT c.payout_id AS id, c.id AS detail FROM counted c
      JOIN payout_requirement r ON r.tenant_id = c.tenant_id AND r.payout_id = c.payout_id AND r.round = c.round
      WHERE EXISTS (SELECT FROM unnest(c.demands) d (place) WHERE (r.demands -> d.place ->> 'stepUp')::boolean)
        AND NOT EXISTS (SELECT FROM step_up_item i WHERE i.tenant_id = c.tenant_id AND i.decision_id = c.id)`,
  },
  {
    invariant: 'P3',
    promise:
      'What was signed is the payout that was approved, by the person and session of the decision, in its time.',
    sql: `
      SELECT i.payout_id AS id, i.step_up_id AS detail FROM step_up_item i
      JOIN step_up s ON s.tenant_id = i.tenant_id AND s.id = i.step_up_id
      JOIN payout p ON p.tenant_id = i.tenant_id AND p.id = i.payout_id
      JOIN payout_decision d ON d.tenant_id = i.tenant_id AND d.id = i.decision_id
      WHERE (i.text::jsonb @> jsonb_build_object(
          'purpose', 'payout.approve', 'decision', 'approve', 'payout', p.id, 'amount', p.amount, 'currency', p.currency,
          'payee', p.beneficiary_id, 'account', p.bank_account_id, 'account_version', p.bank_account_version
        )) IS NOT TRUE
        OR d.payout_id <> i.payout_id OR d.status <> 'approved' OR s.answered_at IS NULL
        OR d.submitted_by ->> 'user_id' IS DISTINCT FROM s.user_id
        OR d.submitted_by ->> 'session_id' IS DISTINCT FROM s.session_id
        OR d.submitted_at NOT BETWEEN s.created_at AND s.expires_at`,
  },
];
