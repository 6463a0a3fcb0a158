import { platformStatement } from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import type { Services } from '../../process/services.ts';
import { carryOverLedger as carryOverPage } from './commands.gen.ts';

/** One statement books so many payouts: a few hundred milliseconds, and little to repeat after a crash. */
const pageSize = 500;

/** A few seconds of work, so that a worker can stop soon; the clock adds the next job. */
const pagesForJob = 100;

/** The job serves all tenants, so this statement names none. */
const nextTenant = platformStatement({
  name: 'next_ledger_carry_over',
  text: 'SELECT c.tenant_id AS "tenantId" FROM across.ledger_carry_over c ORDER BY c.tenant_id LIMIT 1',
});

/**
 * Books what payouts imply that moved before the ledger was there. Each page is one
 * transaction, which also notes how far it came, so a killed worker continues there. Payouts may move
 * meanwhile: a missing entry is found by comparing the transitions with the entries.
 */
export async function carryOverLedger({ pool, log }: Services): Promise<void> {
  for (let page = 0; page < pagesForJob; page += 1) {
    const [next] = await rowsAcross<{ tenantId: string }>(pool, nextTenant, []);
    if (next === undefined) return;
    const [done] = await carryOverPage(pool, next.tenantId, { count: pageSize });
    if (done?.finished === true) log.info({ tenant_id: next.tenantId }, 'ledger carried over');
  }
}
