import { requirePermission } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { idBoundary } from '../../values/ids.ts';
import { deliveryStatuses, type DeliveryStatus } from '../webhook/delivery/delivery-store.ts';
import type { FigureRange } from './range.ts';

/** Deliveries that were planned in a range, by their status, and how the endpoint fares at this moment. */
export interface DeliveryHealth {
  readonly counts: Readonly<Record<DeliveryStatus, number>>;
  /** Null while the endpoint takes deliveries, or there is none. */
  readonly failingSince: Date | null;
  readonly failures: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
}

/** The ids of deliveries sort by the time at which they were planned, so an index of ids alone counts them. */
const health = named(
  'figures_of_deliveries',
  ['tenant', 'statuses', 'fromId', 'toId'],
  `
    SELECT s.status, l.count, f.failing_since AS "failingSince", coalesce(f.failures, 0) AS failures,
      f.last_status_code AS "lastStatusCode", f.last_error AS "lastError"
    FROM unnest(@statuses::text[]) AS s(status)
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS count FROM webhook_delivery d
      WHERE d.tenant_id = @tenant AND d.status = s.status AND d.id >= @fromId AND d.id < @toId
    ) l
    LEFT JOIN webhook_subscription w ON w.tenant_id = @tenant
    LEFT JOIN webhook_endpoint_failure f ON f.tenant_id = @tenant AND f.subscription_id = w.id`,
);

type StatusRow = Omit<DeliveryHealth, 'counts'> & {
  readonly status: DeliveryStatus;
  readonly count: number;
};

/** How the deliveries fare that were planned in a range, and the endpoint at this moment. */
export async function deliveryHealth(
  { scope, services }: Call,
  { starts }: FigureRange,
): Promise<DeliveryHealth> {
  requirePermission(scope, 'read');
  const idAt = (at: Date | undefined) => idBoundary('webhookDelivery', at?.getTime() ?? 0);
  const found = await rows<StatusRow>(
    services.pool,
    health,
    health.of({
      tenant: scope.tenantId,
      statuses: deliveryStatuses,
      fromId: idAt(starts[0]),
      toId: idAt(starts.at(-1)),
    }),
  );
  const [first] = found;
  const counts = { pending: 0, delivered: 0, dead: 0, canceled: 0 };
  for (const { status, count } of found) counts[status] = count;
  return {
    counts,
    failingSince: first?.failingSince ?? null,
    failures: first?.failures ?? 0,
    lastStatusCode: first?.lastStatusCode ?? null,
    lastError: first?.lastError ?? null,
  };
}
