import { idBoundary } from '../../../values/ids.ts';

/**
 * How far the clock of the database, whose times are compared, and that of the process that makes the
 * ids may be apart. Signatures, which are valid for minutes, would fail long before.
 */
const clocksApartMs = 3_600_000;

/**
 * The ids between which all deliveries lie that were planned in a time, so that a search by time
 * walks a range of the primary key and not all that came after. The ids only narrow the search: it
 * compares the times as well.
 */
export function deliveryIdsWithin(
  since: Date | null,
  before: Date | null,
): { readonly from: string; readonly to: string } {
  const from = since === null ? 0 : since.getTime() - clocksApartMs;
  const to = before === null ? Number.MAX_SAFE_INTEGER : before.getTime() + clocksApartMs;
  return { from: idBoundary('webhookDelivery', from), to: idBoundary('webhookDelivery', to) };
}
