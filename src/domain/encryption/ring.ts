import type { Keyring, CiphertextOwner } from '../../crypto/keyring.ts';
import { platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { ConfigError } from '../../process/settings/setting.ts';
import { encryptedColumns } from './columns.ts';
import type { Services } from '../../process/services.ts';
import { placeOf, sampleEachKey, type KeyedValue } from './store.ts';

/*
 * Whether a keyring is the one of this database. Each key that was ever used has a row with a probe, a known text
 * that was encrypted under it, so that another key under the same id is seen before anything is written with it.
 */

const known = 'the probe of a key';

/** The place that the probe of a key is bound to. It belongs to no tenant. */
const placeOfProbe = (keyId: string): CiphertextOwner => ({
  tenantId: '',
  row: keyId,
  field: 'probe',
});

interface Probe {
  readonly id: string;
  /** Null for a key that was lost before it had one. */
  readonly probe: Buffer | null;
  readonly lost: boolean;
}

const readProbes = platformStatement({
  name: 'encryption_probes',
  text: 'SELECT id, probe, lost_at IS NOT NULL AS lost FROM encryption_key ORDER BY id',
});

const addProbe = platformStatement({
  name: 'encryption_add_probe',
  text: 'INSERT INTO encryption_key (id, probe) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
});

function opens(ring: Keyring, ciphertext: Uint8Array, place: CiphertextOwner): boolean {
  try {
    ring.decrypt(ciphertext, place);
    return true;
  } catch {
    return false;
  }
}

const columnByName = new Map(encryptedColumns.map((column) => [column.name, column]));

function opensValue(ring: Keyring, value: KeyedValue): boolean {
  const column = columnByName.get(value.column);
  return (
    column !== undefined &&
    value.ciphertext !== null &&
    opens(ring, value.ciphertext, placeOf(column, value))
  );
}

/** What is wrong with one key, in words that name it; null for nothing. */
function problemOf(
  ring: Keyring,
  keyId: string,
  probe: Probe | undefined,
  values: readonly KeyedValue[],
): string | null {
  if (!ring.keyIds.includes(keyId)) {
    const missed = values.length > 0 && probe?.lost !== true;
    return missed ? `the key ${keyId}, under which data is encrypted, is not in the keyring` : null;
  }
  const bytes = probe?.probe ?? null;
  const other =
    (bytes !== null && !opens(ring, bytes, placeOfProbe(keyId))) ||
    (values.length > 0 && !values.some((value) => opensValue(ring, value)));
  return other
    ? `the key ${keyId} of the keyring has other bytes than the one that was used`
    : null;
}

/** What a look at the database says of a ring. */
interface RingFinding {
  /** A sentence for each key that is missing or has other bytes. */
  readonly problems: readonly string[];
  /** The keys in use that have no probe yet: the one that encrypts, and those that data is under. */
  readonly unprobed: readonly string[];
}

async function examine(client: Queryable, ring: Keyring): Promise<RingFinding> {
  const stored = await rows<Probe & Record<string, unknown>>(client, readProbes, []);
  const probes = new Map(stored.map((row) => [row.id, row]));
  const values = Map.groupBy(await sampleEachKey(client), ({ keyId }) => keyId);
  const ids = [...new Set([...probes.keys(), ...values.keys()])].toSorted();
  return {
    problems: ids.flatMap((id) => problemOf(ring, id, probes.get(id), values.get(id) ?? []) ?? []),
    unprobed: ring.keyIds.filter((id, at) => (at === 0 || values.has(id)) && !probes.has(id)),
  };
}

/**
 * What makes a ring unfit for this database, a sentence for each key; none for the right one. A key that no data
 * is under may be missing, and the order of the keys is free. Changes nothing.
 */
export async function ringProblems(
  { pool }: Pick<Services, 'pool'>,
  ring: Keyring,
): Promise<readonly string[]> {
  return (await examine(pool, ring)).problems;
}

/**
 * As `ringProblems`; a ring without a problem may write from then on. Each key that is in use gets its probe where it
 * has none, after values under it have opened. Of two processes that begin with different keys under one id, one
 * makes the probe, and the other finds that it does not open.
 */
export async function acceptRing(
  { pool }: Pick<Services, 'pool'>,
  ring: Keyring,
): Promise<readonly string[]> {
  const { problems, unprobed } = await examine(pool, ring);
  if (problems.length > 0 || unprobed.length === 0) return problems;
  for (const id of unprobed) {
    await rows(pool, addProbe, [id, ring.encryptUnder(id, known, placeOfProbe(id))]);
  }
  return ringProblems({ pool }, ring);
}

/** For a command that writes. Throws ConfigError where the ring may not write. */
export async function requireRing(services: Pick<Services, 'pool' | 'keyring'>): Promise<void> {
  const problems = await acceptRing(services, services.keyring);
  if (problems.length > 0) throw new ConfigError(`ENCRYPTION_KEYS: ${problems.join('; ')}`);
}

/** Has the keys of a process judged, now, with each reading of them, and when the database is back. Rejects as `Keys.start`. */
export function startKeys(services: Services): Promise<void> {
  const { keys, watch } = services;
  watch.onChange((problem) => {
    if (problem === null) keys.judgeAgain();
  });
  return keys.start((ring) => acceptRing(services, ring));
}
