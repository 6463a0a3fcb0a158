import { keyIdOf, type Keyring } from '../../crypto/keyring.ts';
import { inTransaction } from '../../db/pool.ts';
import type { Services } from '../../process/services.ts';
import { encryptedColumns, type EncryptedColumn } from './columns.ts';
import { lookupHash } from './lookup.ts';
import {
  countByKey,
  countInClear,
  placeOf,
  readPage,
  replaceCiphertexts,
  type Replacement,
  type StoredValue,
} from './store.ts';

/** Rows read at a time. A rotation can stop after each page and continue from there. */
const pageSize = 500;

export type RotationServices = Pick<Services, 'pool' | 'keyring' | 'log'>;

/** The position of one walk over all encrypted columns, and what it has done. */
export interface RotationPass {
  /** Name of the column that is walked. */
  readonly column: string;
  /** Tenant and key of the last row seen. */
  readonly after: string[];
  readonly reencrypted: number;
  /** Changed or locked by a writer at that moment. The next walk looks at them again. */
  readonly missed: number;
  /** Under a key that the keyring lacks, or damaged. */
  readonly unreadable: number;
}

/** The position of a finished walk has no meaning. */
export type RotationStep = RotationPass & { readonly finished: boolean };

function beginningOf(column: EncryptedColumn): Pick<RotationPass, 'column' | 'after'> {
  return { column: column.name, after: ['', ...column.key.map(({ lowest }) => lowest)] };
}

/** A walk that has not begun. */
export function newPass(): RotationPass {
  const [first] = encryptedColumns;
  if (first === undefined) throw new Error('there is no encrypted column');
  return { ...beginningOf(first), reencrypted: 0, missed: 0, unreadable: 0 };
}

/**
 * Encrypts under the first key what the next page of rows holds under another one or in clear, and makes
 * hashes that are missing. Safe to repeat, and to run beside writers and other rotations, because it compares and sets. Throws if `pass` names a column
 * that does not exist.
 */
export async function rotatePage(
  services: RotationServices,
  pass: RotationPass,
): Promise<RotationStep> {
  const index = encryptedColumns.findIndex((one) => one.name === pass.column);
  const column = encryptedColumns[index];
  if (column === undefined) throw new Error(`no encrypted column ${pass.column}`);
  const page = await readPage(services.pool, column, pass.after, pageSize);
  const { due, unreadable } = await reencrypt(services, column, page);
  let reencrypted = 0;
  for (const [tenantId, replacements] of Map.groupBy(due, ({ value }) => value.tenantId)) {
    reencrypted += await replaceCiphertexts(services.pool, column, tenantId, replacements);
  }
  const totals = {
    reencrypted: pass.reencrypted + reencrypted,
    missed: pass.missed + due.length - reencrypted,
    unreadable: pass.unreadable + unreadable,
  };
  const last = page.at(-1);
  if (last !== undefined && page.length === pageSize) {
    const after = [last.tenantId, ...last.key];
    return { column: column.name, after, ...totals, finished: false };
  }
  const next = encryptedColumns[index + 1];
  return { ...(next === undefined ? pass : beginningOf(next)), ...totals, finished: !next };
}

function isDue({ ciphertext, clear, hashed }: StoredValue, keyring: Keyring): boolean {
  if (ciphertext === null) return clear !== null;
  return clear !== null || !hashed || keyIdOf(ciphertext) !== keyring.keyIds[0];
}

async function reencrypt(
  services: RotationServices,
  column: EncryptedColumn,
  page: readonly StoredValue[],
): Promise<{ due: Replacement[]; unreadable: number }> {
  const { keyring, log } = services;
  const due: Replacement[] = [];
  let unreadable = 0;
  const open = page.filter((value) => isDue(value, keyring));
  const hash = column.hash !== null && open.length > 0 ? await lookupHash(services, 'email') : null;
  for (const value of open) {
    const text = textOf(keyring, column, value);
    if (text === null) {
      unreadable += 1;
      log.error(
        { column: column.name, tenant_id: value.tenantId, row: value.key.join('.') },
        'no key of ENCRYPTION_KEYS opens this ciphertext',
      );
      continue;
    }
    const compared = column.hash?.compared(text);
    due.push({
      value,
      becomes: keyring.encrypt(text, placeOf(column, value)),
      hash: compared === undefined ? null : (hash?.(value.tenantId, compared) ?? null),
    });
  }
  return { due, unreadable };
}

/** The text of a value; null when no key opens its ciphertext. */
function textOf(keyring: Keyring, column: EncryptedColumn, value: StoredValue): string | null {
  if (value.ciphertext === null) return value.clear;
  try {
    return keyring.decrypt(value.ciphertext, placeOf(column, value));
  } catch {
    return null;
  }
}

/** How many values of one column are under one key. */
export interface KeyUse {
  readonly column: string;
  /** Null for the values in clear, and for those whose hash is missing. */
  readonly keyId: string | null;
  readonly ciphertexts: number;
}

/** Counts the values of every column by key; reads whole tables, in one snapshot. */
export function keyUse({ pool }: Pick<Services, 'pool'>): Promise<KeyUse[]> {
  return inTransaction(pool, async (client) => {
    // It reads whole tables, so the limit of a request's statement does not fit.
    await client.query(
      'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL statement_timeout = 0',
    );
    const counts: KeyUse[] = [];
    for (const column of encryptedColumns) {
      const found = await countByKey(client, column);
      counts.push(...found.map((one) => ({ column: column.name, ...one })));
      const inClear = (await countInClear(client, column)) ?? 0;
      if (inClear > 0) counts.push({ column: column.name, keyId: null, ciphertexts: inClear });
    }
    return counts;
  });
}
