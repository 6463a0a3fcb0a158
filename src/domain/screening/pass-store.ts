import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import type { Versions } from './port.ts';
import type { EntryAsItWas } from './versions-store.ts';

/** How far the payees of a tenant are. */
export interface Progress extends Record<string, unknown> {
  /** The versions against which all of them are screened. */
  readonly screened: Versions;
  /** Those of the pass under way, and the payee that it looked at last. */
  readonly target: Versions | null;
  readonly after: string | null;
}

const progress = named(
  'screening_progress',
  ['tenant'],
  `SELECT s.screened, s.target, s.after FROM screening_policy s WHERE s.tenant_id = @tenant`,
);

/** How far a pass is; null for a tenant that is not screened. */
export const readProgress = (client: Queryable, { tenantId }: Scope): Promise<Progress | null> =>
  firstRow<Progress>(client, progress, progress.of({ tenant: tenantId }));

const begin = named(
  'begin_screening_pass',
  ['tenant', 'target'],
  `
    UPDATE screening_policy s SET target = @target, after = '', updated_at = now()
    WHERE s.tenant_id = @tenant AND s.target IS NULL`,
);

/** Begins a pass, unless one is under way. */
export async function beginPass(
  client: Queryable,
  { tenantId }: Scope,
  target: Versions,
): Promise<void> {
  await rows(client, begin, begin.of({ tenant: tenantId, target: JSON.stringify(target) }));
}

const advance = named(
  'advance_screening_pass',
  ['tenant', 'target', 'from', 'to'],
  `
    UPDATE screening_policy s SET after = @to, updated_at = now()
    WHERE s.tenant_id = @tenant AND s.target = @target::jsonb AND s.after = @from
    RETURNING s.tenant_id`,
);

/** Notes how far a pass is; false where another run was faster or the settings ended the pass. */
export async function advancePass(
  client: Queryable,
  { tenantId }: Scope,
  target: Versions,
  step: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const values = advance.of({ tenant: tenantId, target: JSON.stringify(target), ...step });
  return (await firstRow(client, advance, values)) !== null;
}

const finish = named(
  'finish_screening_pass',
  ['tenant', 'target'],
  `
    UPDATE screening_policy s SET screened = s.target, target = NULL, after = NULL, updated_at = now()
    WHERE s.tenant_id = @tenant AND s.target = @target::jsonb`,
);

/** Ends a pass that has looked at every payee. */
export async function finishPass(
  client: Queryable,
  { tenantId }: Scope,
  target: Versions,
): Promise<void> {
  await rows(client, finish, finish.of({ tenant: tenantId, target: JSON.stringify(target) }));
}

const confirm = named(
  'confirm_screening',
  ['tenant', 'screened'],
  `
    UPDATE screening_policy s SET confirmed_at = now()
    WHERE s.tenant_id = @tenant AND s.target IS NULL AND s.screened = @screened::jsonb`,
);

/** Notes that all payees are screened against the lists in use at this moment. */
export async function confirmScreening(
  client: Queryable,
  { tenantId }: Scope,
  screened: Versions,
): Promise<void> {
  await rows(client, confirm, confirm.of({ tenant: tenantId, screened: JSON.stringify(screened) }));
}

/** What of a payee a difference of lists is compared with. */
export type PassPayee = Pick<
  Beneficiary,
  | 'id'
  | 'beneficiaryType'
  | 'firstName'
  | 'lastName'
  | 'businessName'
  | 'registrationNumber'
  | 'registrationNumberCiphertext'
  | 'taxIdCiphertext'
  | 'screening'
>;

const page = named(
  'payees_to_rescreen',
  ['tenant', 'after', 'take'],
  `
    SELECT b.id, b.beneficiary_type AS "beneficiaryType", b.first_name AS "firstName", b.last_name AS "lastName",
      b.business_name AS "businessName", b.registration_number AS "registrationNumber",
      b.registration_number_ciphertext AS "registrationNumberCiphertext", b.tax_id_ciphertext AS "taxIdCiphertext",
      b.screening
    FROM beneficiary b
    WHERE b.tenant_id = @tenant AND b.id > @after AND b.erased_at IS NULL
    ORDER BY b.id LIMIT @take`,
);

/** The payees that follow one, archived ones too: what was approved before is still handed over. */
export const nextPayees = (
  client: Queryable,
  { tenantId }: Scope,
  after: string,
  take: number,
): Promise<PassPayee[]> => rows(client, page, page.of({ tenant: tenantId, after, take }));

export interface OpenHit extends EntryAsItWas, Record<string, unknown> {
  readonly id: string;
  readonly beneficiaryId: string;
}

const openHits = named(
  'open_screening_hits',
  ['tenant', 'after', 'take'],
  `
    SELECT h.id, h.beneficiary_id AS "beneficiaryId", h.kind, h.ref, h.entry_digest AS digest FROM screening_hit h
    WHERE h.tenant_id = @tenant AND h.status = 'open' AND h.id > @after ORDER BY h.id LIMIT @take`,
);

/** The open hits that follow one. */
export const nextOpenHits = (
  client: Queryable,
  { tenantId }: Scope,
  after: string,
  take: number,
): Promise<OpenHit[]> => rows(client, openHits, openHits.of({ tenant: tenantId, after, take }));

const unscreened = named(
  'payees_not_screened_yet',
  ['tenant', 'take'],
  `
    SELECT b.id FROM beneficiary b
    WHERE b.tenant_id = @tenant AND b.screening = 'pending' AND b.erased_at IS NULL
      AND b.updated_at < now() - interval '10 minutes'
    LIMIT @take`,
);

/** Payees who have waited for their screening for ten minutes: their job is lost or gave up. */
export async function overduePayees(
  client: Queryable,
  { tenantId }: Scope,
  take: number,
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    client,
    unscreened,
    unscreened.of({ tenant: tenantId, take }),
  );
  return found.map(({ id }) => id);
}
