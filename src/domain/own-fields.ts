import { z } from 'zod';
import { violatesUnique } from '../db/errors.ts';
import { DomainError } from '../errors/domain-error.ts';
import { ownInputs } from '../values/own-fields.ts';

/* How what a business keeps of its own beside a payee or a bank account is stored (src/values/own-fields.ts). */

const own = z.object(ownInputs);
type Given = z.output<typeof own>;

/** Empty metadata and none are the same. */
export function emptyToNull<T extends object>(pairs: T | null | undefined): T | null {
  return pairs && Object.keys(pairs).length > 0 ? pairs : null;
}

/** As they are stored for something new. */
export const ownOf = ({ externalRef: reference, metadata: pairs }: Given) => ({
  externalRef: reference ?? null,
  metadata: emptyToNull(pairs),
});
export type OwnFields = ReturnType<typeof ownOf>;

/** A change as a statement takes it: what is written, by the names of the columns, and the new values. */
export const ownChange = (given: Given) => ({
  ...ownOf(given),
  written: [
    ...(given.externalRef === undefined ? [] : ['external_ref']),
    ...(given.metadata === undefined ? [] : ['metadata']),
  ],
});
export type OwnChange = ReturnType<typeof ownChange>;

/** A failed write as the caller is told of it where another row of the table has the reference. */
export function referenceTaken(error: unknown, table: 'beneficiary' | 'bank_account'): unknown {
  return violatesUnique(error, `${table}_tenant_id_external_ref_key`)
    ? new DomainError('EXTERNAL_REF_ALREADY_EXISTS', { cause: error })
    : error;
}
