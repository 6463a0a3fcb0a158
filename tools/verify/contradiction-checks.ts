import type { Check } from './check.ts';

/** What must hold where a provider contradicts itself or the request. */
export const contradictionChecks: readonly Check[] = [
  {
    invariant: 'M1',
    promise: 'An event that disagrees with its attempt about the payment is recorded for a person.',
    sql: `
      SELECT v.event_id AS id, concat_ws(' ', a.payout_id, v.event ->> 'amountMinor', v.event ->> 'currency',
        v.event ->> 'providerPayoutId') AS detail
      FROM provider_event v JOIN attempts a ON a.tenant_id = v.tenant_id AND a.id = v.subject_id
      WHERE v.status IN ('applied', 'ignored') AND v.event ->> 'kind' = 'payout'
        AND (v.event ->> 'amountMinor' IS DISTINCT FROM a.amount_minor::text
          OR v.event ->> 'currency' IS DISTINCT FROM a.currency
          OR (a.status = 'submitted' AND v.event ->> 'providerPayoutId' IS DISTINCT FROM a.provider_payout_id))
        AND NOT EXISTS (
          SELECT FROM provider_contradiction c WHERE c.tenant_id = a.tenant_id AND c.subject_id = a.id
        )`,
  },
  {
    invariant: 'M1',
    promise: 'Where the provider has told of two payments of an attempt, a person has to look.',
    sql: `
      SELECT a.payout_id AS id, string_agg(DISTINCT v.event ->> 'providerPayoutId', ', ') AS detail
      FROM provider_event v JOIN attempts a ON a.tenant_id = v.tenant_id AND a.id = v.subject_id
      WHERE v.status IN ('applied', 'ignored') AND v.event ->> 'kind' = 'payout' AND a.status = 'submitted'
      GROUP BY a.tenant_id, a.id, a.payout_id
      HAVING count(DISTINCT v.event ->> 'providerPayoutId') > 1 AND NOT EXISTS (
        SELECT FROM provider_contradiction c WHERE c.tenant_id = a.tenant_id AND c.subject_id = a.id
      )`,
  },
  {
    invariant: 'M5',
    promise:
      'No replacement was handed over while it was unknown whether the payout that it replaces was paid.',
    sql: `
      SELECT r.id, concat_ws(' ', p.id, c.kind, c.said, c.finding) AS detail FROM payout r
      JOIN payout p ON p.tenant_id = r.tenant_id AND p.id = r.replaces_payout_id
      JOIN provider_contradiction c ON c.tenant_id = p.tenant_id AND c.payout_id = p.id
      JOIN attempts a ON a.tenant_id = r.tenant_id AND a.payout_id = r.id
      -- Of one that is noticed at the very moment neither can know of the other.
      WHERE a.prepared_at > c.noticed_at + interval '5 seconds'
        AND (c.finding IS DISTINCT FROM 'as_recorded' OR a.prepared_at < c.examined_at)`,
  },
  {
    invariant: 'M5',
    promise: 'An attempt with an open contradiction is marked for a person.',
    sql: `
      SELECT a.payout_id AS id, c.kind AS detail FROM provider_contradiction c
      JOIN attempts a ON a.tenant_id = c.tenant_id AND a.id = c.subject_id
      WHERE c.finding IS NULL AND NOT a.needs_operator AND NOT EXISTS (
        SELECT FROM payout_transition t
        WHERE t.tenant_id = a.tenant_id AND t.payout_id = a.payout_id AND t.actor ->> 'type' = 'operator'
      )`,
  },
  {
    invariant: 'F6',
    promise:
      'No failed payout can be replaced of which it was said that its money moved, unless a person has looked.',
    sql: `
      SELECT p.id, concat_ws(' ', a.id, a.paid_told_at, a.executed_told_at) AS detail FROM payout p
      JOIN disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id
      WHERE p.state = 'failed' AND (a.executed_told_at IS NOT NULL OR a.paid_told_at IS NOT NULL)
        AND NOT EXISTS (
          SELECT FROM provider_contradiction c WHERE c.tenant_id = a.tenant_id AND c.payout_id = p.id
        )`,
  },
];
