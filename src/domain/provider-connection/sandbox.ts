import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import {
  providerConnectionChange,
  providerConnectionDraft,
  type ProviderConnectionChangeInput,
  type ProviderConnectionInput,
} from './input.ts';
import type { ProviderConnection } from './store.ts';
import { changeProviderConnection, connectProvider } from './write.ts';

/** Throws SANDBOX_ONLY, forbidden. */
function requireSandbox({ scope }: Call): void {
  requirePermission(scope, 'banks:write');
  if (scope.environment !== 'sandbox') throw new DomainError('SANDBOX_ONLY');
}

/**
 * Connects a sandbox to an account on a provider's test platform, and to no other. Throws forbidden, SANDBOX_ONLY,
 * validation_failed.
 */
export async function connectSandboxProvider(
  call: Call,
  given: ProviderConnectionInput,
): Promise<ProviderConnection> {
  requireSandbox(call);
  const draft = parseInput(providerConnectionDraft, given);
  return inTransaction(call.services.pool, (client) => connectProvider(client, call, draft));
}

/** Changes, pauses or closes it. Throws forbidden, SANDBOX_ONLY, and as `changeProviderConnection`. */
export async function changeSandboxProvider(
  call: Call,
  given: ProviderConnectionChangeInput,
): Promise<ProviderConnection> {
  requireSandbox(call);
  const change = parseInput(providerConnectionChange, given);
  return inTransaction(call.services.pool, (client) =>
    changeProviderConnection(client, call, change),
  );
}
