import type { Business } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { productionKeyNeeded } from '../access/governance.ts';
import { profileInput, type ProfileInput } from './input.ts';
import { storeProfile } from './profile-store.ts';

export const profileStatuses = ['incomplete', 'submitted', 'accepted'] as const;
export type ProfileStatus = (typeof profileStatuses)[number];

/**
 * Changes the business profile: absent fields stay, null clears. A complete profile is submitted,
 * and the job that funds the sandbox wallet is added with it, whichever environment the caller's key
 * is for. An accepted profile whose legal identity changes is submitted again. Throws
 * validation_failed, conflict where an accepted profile would lose a field, and forbidden, also for a
 * sandbox key that would change the legal identity of a business that has a production key.
 */
export async function updateProfile(call: Call, given: ProfileInput): Promise<Business> {
  requirePermission(call.scope, 'business:write');
  const changes = parseInput(profileInput, given);
  const outcome = await inTransaction(call.services.pool, async (client) => {
    const stored = await storeProfile(client, call.scope, changes);
    if (typeof stored !== 'string' && stored.business.profileStatus !== 'incomplete') {
      const tenantId = stored.sandboxTenantId;
      // Also when nothing changed: a business whose funding got stuck submits its profile again.
      const jobKey = jobKeyOf('fund_sandbox_wallet', { tenantId });
      await enqueue(client, 'fund_sandbox_wallet', { tenantId }, { jobKey });
    }
    return stored;
  });
  if (outcome === 'ungoverned') throw productionKeyNeeded('its legal identity');
  if (outcome === 'incomplete') {
    throw new DomainError('conflict', {
      message: 'An accepted profile must stay complete: a field can be changed, not cleared.',
    });
  }
  return outcome.business;
}
