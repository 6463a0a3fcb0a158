/* How the functions that create payouts notice the tenant's routes (create-command.ts). */

/**
 * Where the version of the tenant's routes, `current_routing`, is selected: `g.version`. No row where it has none, and
 * the deployment's provider pays everything.
 */
export const routing = 'FROM public.payout_routing g WHERE g.tenant_id = _tenant AND g.routes > 0';

/** Whether the payout is still to be judged by the routes, since they or what they judge by have changed. */
export const unrouted = `(current_routing IS DISTINCT FROM input.routing OR (current_routing IS NOT NULL AND (
      ben.revision IS DISTINCT FROM input.routed_revision OR acc.version IS DISTINCT FROM input.routed_version)))`;
