/* How the functions that create payouts notice the tenant's routes (create-command.ts). */

/** The version of the tenant's routes; null where it has none, and the deployment's provider pays everything. */
export const routing = `(
      SELECT g.version FROM public.payout_routing g WHERE g.tenant_id = _tenant AND g.routes > 0
    ) AS routing`;

/** Whether the payout is still to be judged by the routes, since they or what they judge by have changed. */
export const unrouted = `(wallet.routing IS DISTINCT FROM input.routing OR (wallet.routing IS NOT NULL AND (
      ben.revision IS DISTINCT FROM input.routed_revision OR acc.version IS DISTINCT FROM input.routed_version)))`;
