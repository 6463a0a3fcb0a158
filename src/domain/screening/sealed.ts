import type { CiphertextOwner } from '../../crypto/keyring.ts';
import type { Call } from '../../process/services.ts';
import type { Reason, Subject } from '../../screening/subject.ts';
import type { ListedName } from '../../screening/lists/entry.ts';
import type { Interval } from '../../screening/lists/dates.ts';

/** What is kept encrypted of a result and of a hit. */
interface Sealed {
  readonly subject: Subject;
  readonly explained: Explained;
}

/** An entry beside a payee, as a person has to see it to decide. */
export interface Explained {
  readonly subjectName: string;
  readonly listedName: string;
  readonly listedNames: readonly ListedName[];
  readonly listedBirths: readonly Interval[];
  readonly listedCountries: readonly string[];
  readonly programmes: readonly string[];
  readonly reasons: readonly Reason[];
}

const placeOf = ({ scope }: Call, row: string, field: keyof Sealed): CiphertextOwner => ({
  tenantId: scope.tenantId,
  row,
  field,
});

/** Encrypts what names a payee for the row with this id. */
export const seal = <F extends keyof Sealed>(
  call: Call,
  row: string,
  field: F,
  value: Sealed[F],
): Buffer => call.services.keyring.encrypt(JSON.stringify(value), placeOf(call, row, field));

/** The same decrypted; null for a row whose payee was erased. */
export const unseal = <F extends keyof Sealed>(
  call: Call,
  row: string,
  field: F,
  sealed: Uint8Array | null,
): Sealed[F] | null =>
  sealed === null
    ? null
    : (JSON.parse(call.services.keyring.decrypt(sealed, placeOf(call, row, field))) as Sealed[F]);
