import { z } from 'zod';
import { Prisma, type Export } from '../../../generated/prisma/client.ts';
import { requirePermission, type Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import {
  firstRow,
  inTransaction,
  platformStatement,
  rows,
  type Statement,
  type TenantValues,
} from '../../db/pool.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import { text } from '../../values/fields.ts';
import { newId } from '../../values/ids.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { entriesFilter, type EntriesFilter } from '../ledger/entry-list.ts';
import { csvFilename, exportKinds, type ExportKind } from './csv.ts';
import { toStored } from './stored.ts';
import { transactionsFilter, type TransactionsFilter } from './transactions.ts';

/** A filter must be text that PostgreSQL can store; an id that is unknown matches nothing. */
const createInput = z.strictObject({
  kind: z.enum(exportKinds),
  filter: transactionsFilter
    .extend({ beneficiaryId: text().nullish(), payoutBatchId: text().nullish() })
    .nullish(),
  entriesFilter: entriesFilter.nullish(),
});

export interface ExportCreateInput {
  readonly kind: ExportKind;
  readonly filter?: TransactionsFilter | null | undefined;
  readonly entriesFilter?: EntriesFilter | null | undefined;
}

/** The only filter that an export of a kind can have. */
const filterOfKind = {
  transactions: 'filter',
  beneficiaries: null,
  ledger_entries: 'entriesFilter',
  screenings: null,
  watchlist_days: null,
} as const satisfies Record<ExportKind, keyof ExportCreateInput | null>;

/** The conditions as they are stored. Throws `validation_failed` for those of another kind. */
function conditionsOf(input: z.output<typeof createInput>): Record<string, unknown> {
  const own = filterOfKind[input.kind];
  for (const field of ['filter', 'entriesFilter'] as const) {
    if (field === own || Object.keys(toStored(input[field] ?? {})).length === 0) continue;
    const message =
      own === null
        ? 'An export of this kind has all lines.'
        : `An export of this kind has its conditions in ${own}.`;
    throw invalid([{ field, code: 'unknown_field', message }]);
  }
  return own === null ? {} : toStored(input[own] ?? {});
}

/**
 * Makes one tenant's creates wait for each other, so that concurrent ones cannot pass the limit
 * together: each counts in a later statement, after the one before has committed.
 */
const lockTenant = platformStatement({
  name: 'lock_tenant_for_export',
  text: 'SELECT id FROM tenant WHERE id = $1 FOR NO KEY UPDATE',
});

const countLive: Statement = {
  name: 'count_live_exports',
  text: `
    SELECT count(*)::integer AS live FROM export e
    WHERE e.tenant_id = $1 AND e.status IN ('pending', 'running')`,
};

const insertExport: Statement = {
  name: 'insert_export',
  text: `
    INSERT INTO export AS x (tenant_id, id, kind, filter, filename, requested_by)
    VALUES ($1, $2, $3, $4::jsonb, $5, $6::jsonb)
    RETURNING ${columns(Prisma.ExportScalarFieldEnum, 'x')}`,
};

function valuesOf(scope: Scope, kind: ExportKind, conditions: object): TenantValues {
  return [
    scope.tenantId,
    newId('export'),
    kind,
    JSON.stringify(conditions),
    csvFilename(kind, scope.environment, new Date()),
    JSON.stringify(scope.actor),
  ];
}

/**
 * Orders an export whose file a job writes. It can be downloaded for 24 hours once it is finished
 * (`EXPORT_LIFETIME_HOURS`).
 * @param input `filter` chooses payouts and `entriesFilter` entries of the books; the address book has none
 * @throws `forbidden`, `validation_failed`; `too_many_requests` while `EXPORT_LIVE_LIMIT` exports of
 *   the tenant wait or are written
 */
export async function createExport(call: Call, input: ExportCreateInput): Promise<Export> {
  const { scope, services } = call;
  requirePermission(scope, 'read');
  const valid = parseInput(createInput, input);
  const conditions = conditionsOf(valid);
  return inTransaction(services.pool, async (client) => {
    await rows(client, lockTenant, [scope.tenantId]);
    const count = await firstRow<{ live: number }>(client, countLive, [scope.tenantId]);
    if ((count?.live ?? 0) >= services.config.EXPORT_LIVE_LIMIT) {
      throw new DomainError('too_many_requests', {
        message: 'Too many exports wait or are being written; retry when one of them has ended.',
      });
    }
    const created = await firstRow<Export>(
      client,
      insertExport,
      valuesOf(scope, valid.kind, conditions),
    );
    if (created === null) throw new Error('an insert returns its row');
    const { tenantId, id: exportId } = created;
    const options = { jobKey: jobKeyOf('write_export', { tenantId, exportId }) };
    await enqueue(client, 'write_export', { tenantId, exportId }, options);
    return created;
  });
}
