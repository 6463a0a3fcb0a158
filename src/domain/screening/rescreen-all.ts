import { named, namedOfPlatform } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import type { Services } from '../../process/services.ts';
import { enqueueMissing } from '../../queue/queue.ts';
import { engineOf } from './engine.ts';

/** The bound of one run. The next one, a minute later, does the rest. */
const batchSize = 500;

const uncovered = namedOfPlatform(
  'tenants_not_screened',
  ['take'],
  `
    SELECT t.id FROM tenant t LEFT JOIN across.screening_policy s ON s.tenant_id = t.id
    WHERE s.tenant_id IS NULL ORDER BY t.id LIMIT @take`,
);

const cover = named(
  'begin_screening_of_tenant',
  ['tenant'],
  `INSERT INTO screening_policy (tenant_id) VALUES (@tenant) ON CONFLICT (tenant_id) DO NOTHING`,
);

const behind = namedOfPlatform(
  'tenants_to_rescreen',
  ['versions', 'take'],
  `
    SELECT s.tenant_id AS "tenantId" FROM across.screening_policy s
    WHERE s.target IS NOT NULL OR s.screened <> @versions::jsonb OR s.confirmed_at IS NULL
      OR s.confirmed_at < now() - interval '1 hour'
    ORDER BY s.confirmed_at NULLS FIRST LIMIT @take`,
);

/**
 * Puts each tenant under the screening once a list is loaded, and adds a job for each whose payees are not screened
 * against the lists in use, or have not been found to be so for an hour. Nothing happens where no list is loaded.
 */
export async function rescreenAll(services: Services): Promise<void> {
  const { pool } = services;
  const versions = await engineOf(services).versions();
  if (Object.keys(versions).length === 0) return;
  const left = await rowsAcross<{ id: string }>(pool, uncovered, uncovered.of({ take: batchSize }));
  for (const { id } of left) await rows(pool, cover, cover.of({ tenant: id }));
  const values = behind.of({ versions: JSON.stringify(versions), take: batchSize });
  const tenants = await rowsAcross<{ tenantId: string }>(pool, behind, values);
  await enqueueMissing(
    pool,
    'rescreen_tenant',
    tenants.map(({ tenantId }) => ({ payload: { tenantId } })),
  );
}
