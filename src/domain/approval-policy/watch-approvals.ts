import { randomUUID } from 'node:crypto';
import { jobScope } from '../../access/system.ts';
import { named, namedOfPlatform } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import type { Call, Services } from '../../process/services.ts';
import { isStuck, readStandings } from './standing.ts';

/** What one run looks at: tenants that have a policy, and of each the payouts that wait for longest. */
const bounds = { tenants: 200, payouts: 200 } as const;

/** Begins anywhere, so that of more tenants than one run looks at each has its turn. */
const tenants = namedOfPlatform(
  'tenants_with_approval_policy',
  ['from', 'take'],
  `
    SELECT t.id FROM (SELECT DISTINCT a.tenant_id AS id FROM across.approval_policy a) t
    ORDER BY md5(t.id) < md5(@from::text), md5(t.id) LIMIT @take`,
);

const waiting = named(
  'payouts_waiting_under_policy',
  ['tenant', 'take'],
  `
    SELECT p.id FROM payout p
    WHERE p.tenant_id = @tenant AND p.state = 'pending_approval' AND EXISTS (
      SELECT 1 FROM payout_requirement r WHERE r.tenant_id = @tenant AND r.payout_id = p.id
    )
    ORDER BY p.id LIMIT @take`,
);

const forget = named(
  'forget_stuck_approvals',
  ['tenant', 'stuck'],
  'DELETE FROM approval_stuck s WHERE s.tenant_id = @tenant AND s.payout_id <> ALL (@stuck::text[])',
);

const note = named(
  'note_stuck_approvals',
  ['tenant', 'stuck'],
  `
    INSERT INTO approval_stuck (tenant_id, payout_id) SELECT @tenant, s.payout FROM unnest(@stuck::text[]) AS s (payout) ORDER BY s.payout
    ON CONFLICT (tenant_id, payout_id) DO NOTHING`,
);

async function watch(call: Call): Promise<number> {
  const { pool } = call.services;
  const { tenantId: tenant } = call.scope;
  const found = await rows<{ id: string }>(
    pool,
    waiting,
    waiting.of({ tenant, take: bounds.payouts }),
  );
  const ids = found.map(({ id }) => id);
  const standings = await readStandings(call, ids);
  const stuck = ids.filter((_id, at) => isStuck(standings[at] ?? []));
  await rows(pool, forget, forget.of({ tenant, stuck }));
  if (stuck.length > 0) await rows(pool, note, note.of({ tenant, stuck }));
  return stuck.length;
}

/**
 * Notes for the metrics which payouts wait for an approval that nobody who is left can give: of each tenant the oldest two
 * hundred are judged, by what their page shows. Returns how many it found. It can run twice, and late.
 */
export async function watchApprovals(services: Services): Promise<number> {
  const { pool } = services;
  const values = tenants.of({ from: randomUUID(), take: bounds.tenants });
  let stuck = 0;
  for (const { id } of await rowsAcross<{ id: string }>(pool, tenants, values)) {
    const scope = await jobScope(pool, id, { type: 'system', name: 'approval_policy' });
    stuck += await watch({ services, scope });
  }
  return stuck;
}
