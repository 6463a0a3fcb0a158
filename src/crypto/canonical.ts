import { hash } from 'node:crypto';

/** JSON with sorted keys and without absent values: equal content gives equal bytes. */
function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined && item !== null)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

/**
 * SHA-256 of validated input, whatever the order of its keys: by it a second request under an idempotency key
 * is known to be the same. Absent and null mean the same.
 */
export function contentHash(value: unknown): Buffer {
  return hash('sha256', canonicalJson(value), 'buffer');
}
