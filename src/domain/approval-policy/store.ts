import type { PoolClient } from 'pg';
import {
  Prisma,
  type ApprovalGroup,
  type ApprovalPolicy,
  type ApprovalPolicyDraft,
} from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import { tenantsOfBusiness } from '../access/settings.ts';
import { sumsOf, type Rule } from './rules.ts';

const policyColumns = columns(Prisma.ApprovalPolicyScalarFieldEnum, 'p');
const draftColumns = columns(Prisma.ApprovalPolicyDraftScalarFieldEnum, 'd');
const groupColumns = columns(Prisma.ApprovalGroupScalarFieldEnum, 'g');

/** What `rulesInput` let through, as the column has it; null where there are no rules from here on. */
export const rulesIn = ({ rules }: { readonly rules: unknown }): readonly Rule[] | null =>
  rules as readonly Rule[] | null;

const active = named(
  'active_approval_policy',
  ['tenant'],
  `SELECT ${policyColumns} FROM approval_policy p WHERE p.tenant_id = @tenant ORDER BY p.version DESC LIMIT 1`,
);

/** The latest version, which holds; null before the first. */
export function findPolicy(
  client: Queryable,
  { tenantId: tenant }: Scope,
): Promise<ApprovalPolicy | null> {
  return firstRow<ApprovalPolicy>(client, active, active.of({ tenant }));
}

/** The rules that hold in each environment of the business, which has its members in both. */
export async function rulesOfBusiness(
  client: Queryable,
  scope: Scope,
): Promise<(readonly Rule[])[]> {
  const found: (readonly Rule[])[] = [];
  for (const tenant of await tenantsOfBusiness(client, scope)) {
    const policy = await firstRow<ApprovalPolicy>(client, active, active.of({ tenant }));
    const rules = policy === null ? null : rulesIn(policy);
    if (rules !== null) found.push(rules);
  }
  return found;
}

const versions = named(
  'approval_policy_versions',
  ['tenant', 'before', 'take'],
  `
    SELECT ${policyColumns} FROM approval_policy p
    WHERE p.tenant_id = @tenant AND (@before::integer IS NULL OR p.version < @before)
    ORDER BY p.version DESC LIMIT @take`,
);

/** Versions, the latest first, before the one that is named if it is. */
export function listPolicies(
  client: Queryable,
  { tenantId: tenant }: Scope,
  { before, take }: { readonly before: number | null; readonly take: number },
): Promise<ApprovalPolicy[]> {
  return rows<ApprovalPolicy>(client, versions, versions.of({ tenant, before, take }));
}

const insertVersion = named(
  'insert_approval_policy',
  ['tenant', 'version', 'rules', 'sums', 'proposer', 'proposed', 'confirmer'],
  `
    INSERT INTO approval_policy AS p (tenant_id, version, rules, sums, proposed_by, proposed_at, confirmed_by)
    VALUES (@tenant, @version, @rules, @sums, @proposer, @proposed, @confirmer)
    RETURNING ${policyColumns}`,
);

interface NewPolicy {
  readonly version: number;
  readonly rules: readonly Rule[] | null;
  readonly proposedBy: string;
  readonly proposedAt: Date;
  readonly confirmedBy: string;
}

/** Adds the version, which holds from the commit on. Violates `approval_policy_pkey` where another one has its number. */
export async function insertPolicy(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  { version, rules, proposedBy, proposedAt, confirmedBy }: NewPolicy,
): Promise<ApprovalPolicy> {
  const values = insertVersion.of({
    tenant,
    version,
    rules: rules === null ? null : JSON.stringify(rules),
    sums: JSON.stringify(sumsOf(rules ?? [])),
    proposer: proposedBy,
    proposed: proposedAt,
    confirmer: confirmedBy,
  });
  const row = await firstRow<ApprovalPolicy>(client, insertVersion, values);
  if (row === null) throw new Error('an insert returns its row');
  return row;
}

const draft = named(
  'approval_policy_draft',
  ['tenant'],
  `SELECT ${draftColumns} FROM approval_policy_draft d WHERE d.tenant_id = @tenant`,
);

/** The draft; null where nobody has begun one. */
export function findDraft(
  client: Queryable,
  { tenantId: tenant }: Scope,
): Promise<ApprovalPolicyDraft | null> {
  return firstRow<ApprovalPolicyDraft>(client, draft, draft.of({ tenant }));
}

const writeDraft = named(
  'write_approval_policy_draft',
  ['tenant', 'rules', 'revision', 'who'],
  `
    INSERT INTO approval_policy_draft AS d (tenant_id, rules, edited_by) VALUES (@tenant, @rules, @who)
    ON CONFLICT (tenant_id) DO UPDATE
      SET rules = excluded.rules, revision = d.revision + 1, edited_by = excluded.edited_by, edited_at = excluded.edited_at
      WHERE d.revision = @revision::integer
    RETURNING ${draftColumns}`,
);

/** Writes the draft; null where it has another revision than `revision`, which is null for the first draft. */
export function saveDraft(
  client: Queryable,
  { tenantId: tenant }: Scope,
  {
    rules,
    revision,
    who,
  }: {
    readonly rules: readonly Rule[] | null;
    readonly revision: number | null;
    readonly who: string;
  },
): Promise<ApprovalPolicyDraft | null> {
  const written = rules === null ? null : JSON.stringify(rules);
  const values = writeDraft.of({ tenant, rules: written, revision, who });
  return firstRow<ApprovalPolicyDraft>(client, writeDraft, values);
}

const groups = named(
  'approval_groups',
  ['tenant'],
  `SELECT ${groupColumns} FROM approval_group g WHERE g.tenant_id = @tenant ORDER BY g.id`,
);

/** The groups of a tenant, the oldest first. */
export function listGroups(
  client: Queryable,
  { tenantId: tenant }: Scope,
): Promise<ApprovalGroup[]> {
  return rows<ApprovalGroup>(client, groups, groups.of({ tenant }));
}

const lockGroup = named(
  'lock_approval_group',
  ['tenant', 'id'],
  `SELECT ${groupColumns} FROM approval_group g WHERE g.tenant_id = @tenant AND g.id = @id FOR UPDATE`,
);

/** A group, locked until the transaction ends; null for an unknown id. */
export function findGroup(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  id: string,
): Promise<ApprovalGroup | null> {
  return firstRow<ApprovalGroup>(client, lockGroup, lockGroup.of({ tenant, id }));
}

const writeGroup = named(
  'write_approval_group',
  ['tenant', 'id', 'name', 'members'],
  `
    INSERT INTO approval_group AS g (tenant_id, id, name, members) VALUES (@tenant, @id, @name, @members)
    ON CONFLICT (tenant_id, id) DO UPDATE
      SET name = excluded.name, members = excluded.members, revision = g.revision + 1, updated_at = excluded.updated_at
    RETURNING ${groupColumns}`,
);

/** Writes a group, new or not. Violates `approval_group_name_key` where another one has the name. */
export async function saveGroup(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  group: Pick<ApprovalGroup, 'id' | 'name' | 'members'>,
): Promise<ApprovalGroup> {
  const { id, name, members } = group;
  const values = writeGroup.of({ tenant, id, name, members });
  const row = await firstRow<ApprovalGroup>(client, writeGroup, values);
  if (row === null) throw new Error('a group is always written');
  return row;
}
