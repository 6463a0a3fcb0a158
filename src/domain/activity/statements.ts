import { Prisma } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named, namedOfPlatform } from '../../db/named.ts';
import { isSeen } from '../access/change-store.ts';
import { groups } from '../payout/list/groups.ts';

const byId = ['tenant', 'low', 'high', 'take'] as const;

const canceledGroups = groups
  .replace('unnest(@states::text[])', `unnest(ARRAY['canceled'])`)
  .replaceAll(/\s+AND \(@\w+::text IS NULL OR split_part\(f\.name, ' ', \d\) = @\w+\)/g, '');

/** Changes of access with ids from `low` on and before `high`, newest first. */
export const ofAccess = namedOfPlatform(
  'activity_of_access',
  ['business', 'environment', 'low', 'high', 'take'],
  `
        SELECT ${columns(Prisma.AccessChangeScalarFieldEnum, 'c')} FROM access_change c
        WHERE c.business_id = @business AND c.id >= @low::uuid AND c.id < @high::uuid AND ${isSeen('@environment')}
        ORDER BY c.id DESC LIMIT @take`,
);

/** Payouts by the time of their end: nothing changes one after it was canceled. */
export const ofCanceled = named(
  'activity_of_canceled_payouts',
  ['tenant', 'since', 'at', 'high', 'take'],
  `
        ${canceledGroups}
        SELECT l.id, l.updated_at AS "occurredAt", t.actor, l.id AS "payoutId" FROM groups g CROSS JOIN LATERAL (
          SELECT p.id, p.updated_at, p.transition_count FROM payout p
          WHERE p.tenant_id = @tenant AND p.list_group = g.name AND p.updated_at >= @since::timestamptz
            AND (p.updated_at, p.id) < (@at::timestamptz, @high::text)
          ORDER BY p.updated_at DESC, p.id DESC LIMIT @take
        ) l
        JOIN payout_transition t ON t.tenant_id = @tenant AND t.payout_id = l.id AND t.seq = l.transition_count
        ORDER BY l.updated_at DESC, l.id DESC LIMIT @take`,
);

/** Rows of a kind with ids from `low` on and before `high`, newest first. */
export const byIds = {
  payout_created: named(
    'activity_of_payouts',
    byId,
    `
        SELECT p.id, p.created_at AS "occurredAt", p.created_by AS actor, p.id AS "payoutId" FROM payout p
        WHERE p.tenant_id = @tenant AND p.id >= @low AND p.id < @high
        ORDER BY p.id DESC LIMIT @take`,
  ),
  decision: named(
    'activity_of_decisions',
    byId,
    `
        SELECT d.id, d.submitted_at AS "occurredAt", d.submitted_by AS actor, d.payout_id AS "payoutId",
          d.status AS detail
        FROM payout_decision d
        WHERE d.tenant_id = @tenant AND d.id >= @low AND d.id < @high
        ORDER BY d.id DESC LIMIT @take`,
  ),
  export: named(
    'activity_of_exports',
    byId,
    `
        SELECT e.id, e.created_at AS "occurredAt", e.requested_by AS actor, e.kind AS detail FROM export e
        WHERE e.tenant_id = @tenant AND e.id >= @low AND e.id < @high
        ORDER BY e.id DESC LIMIT @take`,
  ),
  bank_file: named(
    'activity_of_bank_files',
    byId,
    `
        SELECT f.id, f.received_at AS "occurredAt", f.name AS detail,
          CASE WHEN f.taken_by IS NULL THEN '{"type":"system","name":"bank files"}' ELSE '{"type":"operator"}' END::jsonb
            AS actor
        FROM bank_file f
        WHERE f.tenant_id = @tenant AND f.id >= @low AND f.id < @high
        ORDER BY f.id DESC LIMIT @take`,
  ),
} as const;
