/**
 * Our reference, which the provider repeats in its answers and events: the tenant and the attempt or
 * enrollment. It names the tenant of an inbound event, so no query has to look across tenants.
 */
export function makeReference(tenantId: string, subjectId: string): string {
  return `${tenantId}.${subjectId}`;
}

/** Takes a reference apart; null when it is not one of ours. */
export function parseReference(reference: string): { tenantId: string; subjectId: string } | null {
  const [tenantId, subjectId, ...more] = reference.split('.');
  if (tenantId === undefined || subjectId === undefined || more.length > 0) return null;
  return { tenantId, subjectId };
}
