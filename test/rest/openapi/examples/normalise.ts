import { createHash } from 'node:crypto';
import { idPrefixes } from '../../../../src/values/ids.ts';

/** When something happened in the examples, by the name of its field. */
const times: Readonly<Record<string, string>> = {
  acknowledged_at: '2026-11-21T11:00:00.000Z',
  created_since: '2026-11-21T08:00:00.000Z',
  created_before: '2026-11-21T17:00:00.000Z',
  updatedSince: '2026-11-21T12:00:00.000Z',
  started_at: '2026-11-21T12:00:01.000Z',
  evaluated_at: '2026-11-21T12:00:30.000Z',
  submitted_at: '2026-11-21T12:00:30.000Z',
  approved_at: '2026-11-21T12:00:30.000Z',
  disbursed_at: '2026-11-21T12:01:00.000Z',
  settled_at: '2026-11-21T12:02:00.000Z',
  updated_at: '2026-11-21T12:02:00.000Z',
  completed_at: '2026-11-21T12:02:01.000Z',
  expires_at: '2026-11-28T12:00:00.000Z',
  expected_delivery_date: '2026-11-23T12:00:00.000Z',
};
const usualTime = '2026-11-21T12:00:00.000Z';

/** What is different with every run and has no form of its own, by the name of its field. */
const values: Readonly<Record<string, unknown>> = {
  key: 'pos_sandbox_shown_only_once',
  secret: 'whsec_sandbox_shown_only_once',
  standard_webhooks_secret: 'whsec_d2hzZWNfc2FuZGJveF9zaG93bl9vbmx5X29uY2U=',
  next_cursor: 'b3BhcXVl',
  provider_payout_id: 'po_8f2k1',
  latency_ms: 42,
  sequence: 4711,
};

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idPattern = new RegExp(
  `\\b(${Object.values(idPrefixes).join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}\\b`,
  'g',
);
const uuidPattern = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g;
const timePattern = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const filenameTimePattern = /(?<=-)\d{8}T\d{6}Z/g;
const railPattern = /\bRAIL[0-9A-F]{16}\b/g;
const receiverPattern = /https:\/\/localhost:\d+/g;
const servicePattern = /https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?/g;

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The n-th id of a resource: of the form of a TypeID, and the same on every machine. */
function exampleId(prefix: string, n: number): string {
  const letters = [...digest(`${prefix}${n}`)].map((byte) => alphabet[byte % 32] ?? '0');
  // The version of a UUIDv7 and its variant.
  return `${prefix}_01kajb3e80e${letters.slice(0, 2).join('')}8${letters.slice(2, 14).join('')}`;
}

function exampleUuid(n: number): string {
  const hex = digest(`uuid${n}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Makes a function that replaces what differs with every run: ids, times, secrets, addresses. One id gets
 * the same stand-in wherever it comes, and the n-th id of a resource always the same one, so
 * that a run gives the same examples if it meets them in the same order.
 */
export function createNormaliser(): (value: unknown) => unknown {
  const standIns = new Map<string, string>();
  const counts = new Map<string, number>();

  function standIn(id: string, kind: string, make: (n: number) => string): string {
    const known = standIns.get(id);
    if (known !== undefined) return known;
    const n = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, n);
    const made = make(n);
    standIns.set(id, made);
    return made;
  }

  function text(key: string, value: string): string {
    return value
      .replaceAll(idPattern, (id, prefix: string) =>
        standIn(id, prefix, (n) => exampleId(prefix, n)),
      )
      .replaceAll(uuidPattern, (id) => standIn(id, 'uuid', exampleUuid))
      .replaceAll(timePattern, times[key] ?? usualTime)
      .replaceAll(filenameTimePattern, '20261121T120000Z')
      .replaceAll(railPattern, 'RAIL68A4C788068D81CA')
      .replaceAll(receiverPattern, 'https://hooks.example.com')
      .replaceAll(servicePattern, 'https://payouts.example.com');
  }

  function normalised(key: string, value: unknown): unknown {
    if (value !== null && typeof value !== 'object' && Object.hasOwn(values, key)) {
      return values[key];
    }
    if (typeof value === 'string') return text(key, value);
    if (Array.isArray(value)) return value.map((item) => normalised(key, item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => {
        // What was never changed was changed last at its creation. A payout's creation is dated by its transaction and
        // each change by the clock, so these are the same by chance.
        const unchanged =
          name === 'updated_at' &&
          !('settled_at' in value) &&
          'created_at' in value &&
          part === value.created_at;
        return [name, normalised(unchanged ? 'created_at' : name, part)];
      }),
    );
  }

  return (value) => normalised('', value);
}
