import { keyIdOf, type Keyring } from '../../crypto/keyring.ts';
import { inTransaction } from '../../db/pool.ts';
import type { Services } from '../../process/services.ts';
import { encryptedColumns, type EncryptedColumn } from './columns.ts';
import {
  countByKey,
  placeOf,
  readPage,
  replaceCiphertexts,
  type Replacement,
  type SealedValue,
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
 * Re-encrypts the ciphertexts of the next page of rows that are not under the first key. Safe to repeat, and
 * to run beside writers and other rotations, because it compares and sets. Throws if `pass` names a column
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
  const { due, unreadable } = reencrypt(services, column, page);
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

function reencrypt(
  { keyring, log }: RotationServices,
  column: EncryptedColumn,
  page: readonly SealedValue[],
): { due: Replacement[]; unreadable: number } {
  const due: Replacement[] = [];
  let unreadable = 0;
  for (const value of page) {
    const { ciphertext } = value;
    if (ciphertext === null || keyIdOf(ciphertext) === keyring.keyIds[0]) continue;
    const becomes = reseal(keyring, column, value, ciphertext);
    if (becomes === null) {
      unreadable += 1;
      log.error(
        { column: column.name, tenant_id: value.tenantId, row: value.key.join('.') },
        'no key of ENCRYPTION_KEYS opens this ciphertext',
      );
    } else due.push({ value, becomes });
  }
  return { due, unreadable };
}

function reseal(
  keyring: Keyring,
  column: EncryptedColumn,
  value: SealedValue,
  ciphertext: Buffer,
): Buffer | null {
  const place = placeOf(column, value);
  let text: string;
  try {
    text = keyring.decrypt(ciphertext, place);
  } catch {
    return null;
  }
  return keyring.encrypt(text, place);
}

/** How many ciphertexts of one column are under one key. */
export interface KeyUse {
  readonly column: string;
  readonly keyId: string;
  readonly ciphertexts: number;
}

/** Counts the ciphertexts of every column by key; reads whole tables, in one snapshot. */
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
    }
    return counts;
  });
}
