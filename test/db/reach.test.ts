import { beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openCollectionLink } from '../../src/access/collection-link.ts';
import { acrossNodes, onSilence, rowsAcross, silentNodes } from '../../src/db/reach.ts';
import { sweepBankBatches } from '../../src/domain/bank-batch/sweep.ts';
import { fetchBankFiles } from '../../src/domain/bank-file/fetch.ts';
import { settleBankPayouts } from '../../src/domain/bank-file/settle.ts';
import { expireRequests } from '../../src/domain/collection/expire.ts';
import { startDueExports } from '../../src/domain/export/schedule.ts';
import { carryOverLedger } from '../../src/domain/ledger/carry-over.ts';
import { findStalledPayouts } from '../../src/domain/reconciliation/reconcile-store.ts';
import { reconcilePayouts } from '../../src/domain/reconciliation/reconcile.ts';
import { deleteExpired } from '../../src/domain/retention/delete-expired.ts';
import { sweepDeliveries } from '../../src/domain/webhook/schedule/sweep.ts';
import { createStored } from '../../src/process/metrics/stored.ts';
import { createPool, platformStatement } from '../../src/db/pool.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

/**
 * What the service leaves out while a node of a cluster does not answer. Here one PostgreSQL says that it is such a
 * cluster, which shows the statements; test/queue/silent-node.test.ts has a cluster whose node is gone.
 */
const harness = useHarness({ worker: false });
const silent = 'w2:5432';

const answer = (tenants: string): string => `
  CREATE OR REPLACE FUNCTION ops.reach() RETURNS TABLE (silent text[], tenants text[])
  LANGUAGE sql IMMUTABLE BEGIN ATOMIC SELECT ${tenants}; END`;

/** Makes the service notice what the nodes say, as a statement does that one of them refuses. */
function refused(): Promise<unknown> {
  const { pool } = harness.services;
  return acrossNodes(pool, async (reach) => {
    if (reach === null) {
      await pool.query(`DO $$ BEGIN RAISE 'gone' USING ERRCODE = 'connection_failure'; END $$`);
    }
    return reach;
  });
}

describe.runIf(inject('citusNodes').length === 0)('while a node does not answer', () => {
  let here: TestTenant;
  let there: TestTenant;
  const heard: (readonly string[])[] = [];

  beforeAll(async () => {
    [here, there] = [await makeTenant(harness), await makeTenant(harness)];
    for (const { key } of [here, there]) {
      const body = payoutBody(await makePayee(harness, key));
      const made = await harness.rest('POST', '/v1/payouts', { key, body });
      expect(made.status, made.text).toBe(201);
      const place = `/v1/payouts/${made.body.payout.id as string}/approve`;
      expect((await harness.rest('POST', place, { key })).status).toBe(200);
    }
    onSilence(harness.services.pool, (nodes) => heard.push(nodes));
    await harness.database.pool.query(
      answer(`ARRAY['${silent}'], ARRAY['${here.tenantId}', 'unknown']`),
    );
    await expect(refused()).resolves.toEqual({
      silent: [silent],
      tenants: [here.tenantId, 'unknown'],
    });
  });

  /** The payouts of both tenants wait for a job that was lost. */
  const search = {
    seconds: 0,
    environments: ['sandbox'],
    after: { tenantId: '', id: '', updatedAt: new Date(0) },
    take: 10,
  };

  beforeEach(async () => {
    await harness.database.pool.query(`DELETE FROM job_outbox`);
  });

  it('finds the work of the other tenants, and has told of the node once', async () => {
    const { pool } = harness.services;
    const found = await findStalledPayouts(pool, search);
    expect(found.map(({ tenantId }) => tenantId)).toEqual([here.tenantId]);
    expect(silentNodes(pool)).toEqual([silent]);
    expect(heard).toEqual([[silent]]);
  });

  it.for([
    ['the reconciliation', reconcilePayouts],
    ['the sweep of deliveries', sweepDeliveries],
    ['the sweep of files for banks', sweepBankBatches],
    ['what fetches files of banks', fetchBankFiles],
    ['what settles payments of banks', settleBankPayouts],
    ['what ends collection requests', expireRequests],
    ['what starts exports', startDueExports],
    ['what carries the ledger over', carryOverLedger],
    ['what deletes', deleteExpired],
  ] as const)('%s goes on', async ([, run]) => {
    await run(harness.services);
    const { rows } = await harness.database.pool.query<{ id: string }>(
      'SELECT DISTINCT tenant_id AS id FROM job_outbox',
    );
    expect(rows.every(({ id }) => id === here.tenantId)).toBe(true);
  });

  it('a link that no tenant of the others has made may be one of the node, which is not asked for it', async () => {
    const { pool } = harness.services;
    const queries = vi.spyOn(pool, 'query');
    try {
      await expect(openCollectionLink(pool, 'A'.repeat(43))).rejects.toThrow(
        `${silent} does not answer`,
      );
      expect(queries).toHaveBeenCalledTimes(1);
    } finally {
      queries.mockRestore();
    }
  });

  it('an error has another reason where the same nodes are silent', async () => {
    await expect(
      rowsAcross(
        harness.services.pool,
        platformStatement({ name: 'wrong', text: 'SELECT 1/0' }),
        [],
      ),
    ).rejects.toThrow();
  });

  it('notices by itself that the node answers again', async () => {
    const { pool } = harness.services;
    heard.length = 0;
    await harness.database.pool.query(answer(`'{}'::text[], NULL::text[]`));
    await eventually(() => Promise.resolve(silentNodes(pool).length === 0));
    expect(heard).toEqual([[]]);
  });
});

describe('while all nodes answer', () => {
  it('an error of a connection is the caller’s', async () => {
    const pool = createPool(harness.database.url, 1, 'reach-test');
    const text = `DO $$ BEGIN RAISE 'gone' USING ERRCODE = 'connection_failure'; END $$`;
    await expect(rowsAcross(pool, platformStatement({ name: '', text }), [])).rejects.toThrow(
      'gone',
    );
    expect(silentNodes(pool)).toEqual([]);
    await pool.end();
  });

  it('the metrics have what a function reads of all tenants', async () => {
    const stored = createStored(harness.database.url, 'test');
    expect(await stored.read()).not.toBeNull();
    await stored.close();
  });
});
