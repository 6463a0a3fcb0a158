import type { ProposedChange } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { requireManager } from '../access/authority.ts';
import { lockActing } from '../access/governance.ts';
import { tellBusiness } from '../access/tell.ts';
import { endWaitingAbout, propose } from '../proposed-change/store.ts';
import { requireGroups } from './draft.ts';
import type { Rule } from './rules.ts';
import { findDraft, findPolicy, rulesIn } from './store.ts';

/** What waits for the second person: the rules, null for none, and the version that they take the place of. */
export interface ProposedPolicy {
  readonly rules: readonly Rule[] | null;
  /** 0 where there is none yet. */
  readonly base: number;
}

/** What the record of a change says of rules, which people may name as they like. */
export const toldOf = (
  version: number,
  rules: readonly Rule[] | null,
): { readonly version: number; readonly rules: number | null } => ({
  version,
  rules: rules?.length ?? null,
});

/**
 * Proposes the draft as it is at `revision` as the next version. It holds for nothing until a second person has confirmed
 * it (confirm.ts); an earlier proposal ends. For owners and admins, who are all mailed. Throws forbidden,
 * validation_failed for a group that is gone, and conflict where the draft is another one, or what holds already.
 */
export async function proposePolicy(
  call: Call,
  { revision, reason }: { readonly revision: number; readonly reason: string | null },
): Promise<ProposedChange> {
  const { scope, services } = call;
  const { user_id: who } = requireManager(scope);
  return inTransaction(services.pool, async (client) => {
    await lockActing(client, scope);
    const [draft, active] = [await findDraft(client, scope), await findPolicy(client, scope)];
    if (draft?.revision !== revision) {
      throw new DomainError('conflict', {
        message: 'The draft has another revision by now. Read it again, then propose it.',
      });
    }
    const rules = rulesIn(draft);
    const before = active === null ? null : rulesIn(active);
    if (JSON.stringify(rules) === JSON.stringify(before)) {
      throw new DomainError('conflict', { message: 'The draft is what holds already.' });
    }
    await requireGroups(client, scope, rules ?? []);
    const base = active?.version ?? 0;
    const given: ProposedPolicy = { rules, base };
    await endWaitingAbout(client, scope, 'approval_policy', scope.tenantId);
    const proposed = await propose(client, call, {
      kind: 'approval_policy',
      subjectId: scope.tenantId,
      given,
      shown: { before, after: rules },
      reason,
      who,
    });
    await tellBusiness(client, scope, {
      kind: 'approval_policy_proposed',
      subjectId: proposed.id,
      before: active === null ? null : toldOf(base, before),
      after: toldOf(base + 1, rules),
    });
    return proposed;
  });
}
