import { lookupHash } from '../../src/domain/encryption/lookup.ts';
import { expect } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { Context } from '../../schema/context.ts';
import { prepareDocument } from '../../schema/prepared/document.ts';
import type { RunDocument } from '../../schema/prepared/run.ts';
import { chipOf, collectionStatusOf, type Model } from './payee-model.ts';
import type { World } from './payee-world.ts';

const chips = prepareDocument(
  `query Chips($after: String) {
    beneficiaries(first: 100, after: $after) { edges { node { id status identityComplete } } }
  }`,
);

const stored = `
  SELECT b.id, encode(b.email_hash, 'hex') AS email_hash, b.compliance_status AS compliance,
    b.reacknowledgment_required AS reacknowledge, b.acknowledged_at IS NOT NULL AS acknowledged,
    b.archived_at IS NOT NULL AS archived, b.status_before_suspension AS "beforeSuspension",
    b.enrollment_status AS "enrollmentStatus", b.enrolled_bank_account_id AS "enrolledAccount",
    (SELECT coalesce(json_agg(json_build_object(
        'version', a.version, 'verified', a.status = 'verified',
        'validated', a.validation_status = 'validated', 'rejection', a.rail_rejection_reason
      ) ORDER BY a.id), '[]')
     FROM bank_account a WHERE a.tenant_id = b.tenant_id AND a.beneficiary_id = b.id) AS accounts,
    (SELECT coalesce(json_agg(json_build_object('status', e.status, 'standing', e.standing) ORDER BY e.id), '[]')
     FROM enrollment e WHERE e.tenant_id = b.tenant_id AND e.beneficiary_id = b.id) AS enrollments,
    b.collection_status AS "collectionStatus",
    (SELECT coalesce(json_agg(json_build_object('id', r.id, 'scope', r.scope, 'status', r.status)), '[]')
     FROM collection_request r WHERE r.tenant_id = b.tenant_id AND r.beneficiary_id = b.id) AS links,
    (SELECT json_agg(t.kind || ': ' || t.from_status || ' → ' || t.to_status ORDER BY t.seq)
     FROM beneficiary_transition t
     WHERE t.tenant_id = b.tenant_id AND t.beneficiary_id = b.id) AS history
  FROM beneficiary b WHERE b.tenant_id = $1 ORDER BY b.id`;

/** The rows of the tenant against the model, and the chip that callers see against its own. */
export async function expectSame(model: Model, world: World, run: RunDocument): Promise<void> {
  const { scope } = world.calls.service;
  const hash = await lookupHash(world.services, 'email');
  const { rows } = await world.owner.query(stored, [scope.tenantId]);
  const byId = (a: { id?: string | undefined }, b: { id?: string | undefined }): number =>
    (a.id ?? '') < (b.id ?? '') ? -1 : 1;
  for (const row of rows as { links: { id: string }[] }[]) row.links.sort(byId);
  expect(rows).toEqual(
    model.payees.map((payee, index) => ({
      id: world.payees[index]?.id,
      email_hash: hash(scope.tenantId, `payee-${payee.fields.email}@example.com`).toString('hex'),
      compliance: payee.compliance,
      reacknowledge: payee.reacknowledge,
      acknowledged: payee.acknowledged,
      archived: payee.archived,
      beforeSuspension: payee.beforeSuspension,
      enrollmentStatus: payee.enrollmentStatus,
      enrolledAccount:
        payee.enrolledAccount === null
          ? null
          : world.payees[index]?.accounts[payee.enrolledAccount],
      accounts: payee.accounts,
      enrollments: payee.enrollments.map((one) => ({
        status: one.status,
        standing: one.standing,
      })),
      collectionStatus: collectionStatusOf(payee),
      links: payee.links
        .map((link, place) => ({ id: world.payees[index]?.links[place], ...link }))
        .toSorted(byId),
      history: payee.history,
    })),
  );
  const context = new Context(world.services, scope, { id: newId('request'), clientAddress: null });
  const { data, errors } = await run(chips, {}, context);
  expect(errors).toBeUndefined();
  const list = data?.['beneficiaries'] as { edges: { node: { id: string } }[] } | undefined;
  expect(list?.edges.map(({ node }) => node).toReversed()).toEqual(
    model.payees.flatMap((payee, index) =>
      payee.archived
        ? []
        : [
            {
              id: world.payees[index]?.id,
              status: chipOf(payee),
              identityComplete: payee.fields.dateOfBirth !== null,
            },
          ],
    ),
  );
}

/**
 * What holds in the tables whatever was done, also by many at once. Archiving ends no compliance, so
 * a record after it goes on from the one before.
 */
const violations = `
  SELECT 'one address twice' AS rule, encode(email_hash, 'hex') AS subject FROM beneficiary
  WHERE tenant_id = $1 AND archived_at IS NULL GROUP BY email_hash HAVING count(*) > 1
  UNION ALL
  SELECT 'compliant with an account that waits', a.id FROM beneficiary b
  JOIN bank_account a ON a.tenant_id = b.tenant_id AND a.beneficiary_id = b.id
  WHERE b.tenant_id = $1 AND b.compliance_status = 'compliant' AND a.status <> 'verified'
  UNION ALL
  SELECT 'verified although the owner never was compliant', a.id FROM bank_account a
  WHERE a.tenant_id = $1 AND a.status = 'verified' AND NOT EXISTS (
    SELECT FROM beneficiary_transition t
    WHERE t.tenant_id = $1 AND t.beneficiary_id = a.beneficiary_id AND t.to_status = 'compliant')
  UNION ALL
  SELECT 'records and their count differ', b.id FROM beneficiary b
  WHERE b.tenant_id = $1 AND b.transition_count <> (
    SELECT count(*) FROM beneficiary_transition t
    WHERE t.tenant_id = $1 AND t.beneficiary_id = b.id AND t.seq <= b.transition_count)
  UNION ALL
  SELECT 'a gap in the chain', c.beneficiary_id FROM (
    SELECT t.beneficiary_id, t.from_status,
      lag(t.to_status, 1, 'new') OVER (PARTITION BY t.beneficiary_id ORDER BY t.seq) AS before
    FROM beneficiary_transition t WHERE t.tenant_id = $1 AND t.kind <> 'archived'
  ) c WHERE c.from_status <> c.before
  UNION ALL
  SELECT 'not in the state of the last record', b.id FROM beneficiary b
  WHERE b.tenant_id = $1 AND b.compliance_status <> (
    SELECT t.to_status FROM beneficiary_transition t
    WHERE t.tenant_id = $1 AND t.beneficiary_id = b.id AND t.kind <> 'archived'
    ORDER BY t.seq DESC LIMIT 1)
  UNION ALL
  SELECT 'an account without its version', a.id FROM bank_account a
  WHERE a.tenant_id = $1 AND a.version <> (
    SELECT count(*) FROM bank_account_version v
    WHERE v.tenant_id = $1 AND v.bank_account_id = a.id)
  UNION ALL
  SELECT 'two live links', beneficiary_id FROM collection_request
  WHERE tenant_id = $1 AND status = 'live' GROUP BY beneficiary_id HAVING count(*) > 1
  UNION ALL
  SELECT 'a live link of one who is archived', b.id FROM beneficiary b
  JOIN collection_request r ON r.tenant_id = b.tenant_id AND r.beneficiary_id = b.id
  WHERE b.tenant_id = $1 AND b.archived_at IS NOT NULL AND r.status = 'live'
  UNION ALL
  SELECT 'invited, and no link that asks for it', b.id FROM beneficiary b
  WHERE b.tenant_id = $1 AND (b.collection_status = 'invited') <> EXISTS (
    SELECT FROM collection_request r
    WHERE r.tenant_id = $1 AND r.beneficiary_id = b.id AND r.status = 'live'
      AND r.scope = 'full_onboarding')
  UNION ALL
  SELECT 'two enrollments under way', beneficiary_id FROM enrollment
  WHERE tenant_id = $1 AND status = 'pending' GROUP BY beneficiary_id HAVING count(*) > 1`;

export async function expectInvariants({ owner, calls }: World): Promise<void> {
  const { rows } = await owner.query(violations, [calls.service.scope.tenantId]);
  expect(rows).toEqual([]);
}
