import { jobScope } from '../src/access/system.ts';
import type { Call, Services } from '../src/process/services.ts';
import type { Payload, TaskName } from '../src/queue/tasks.ts';

/** What a task does. Must be safe to repeat: a job runs again when its process dies. */
export type Handler<T extends TaskName> = (
  payload: Payload<T>,
  services: Services,
) => Promise<void>;

/** A handler that works in the tenant of its payload, as the part `name` of the service. */
export function inTenant<P extends { readonly tenantId: string }>(
  name: string,
  work: (call: Call, payload: P) => Promise<unknown>,
): (payload: P, services: Services) => Promise<void> {
  return async (payload, services) => {
    const scope = await jobScope(services.pool, payload.tenantId, { type: 'system', name });
    await work({ services, scope }, payload);
  };
}
