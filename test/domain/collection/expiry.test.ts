import type { PoolClient } from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { jobScope } from '../../../src/access/system.ts';
import type { Scope } from '../../../src/access/scope.ts';
import { inTransaction, rows, type Statement } from '../../../src/db/pool.ts';
import { endLiveRequest } from '../../../src/domain/beneficiary/end-request.ts';
import { findStatusFacts } from '../../../src/domain/beneficiary/status-facts.ts';
import { findRecent } from '../../../src/domain/collection/invite-store.ts';
import { findRequest } from '../../../src/domain/collection/request.ts';
import { lockRequest } from '../../../src/domain/collection/submit-store.ts';
import { within } from '../../support/behind.ts';
import { makePayeeLink, type PayeeLink } from '../../support/payee-link.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

let scope: Scope;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  const actor = { type: 'system', name: 'test' } as const;
  scope = await jobScope(harness.services.pool, tenant.tenantId, actor);
});

const endsIn: Statement = {
  name: 'link_ends_in',
  text: `UPDATE collection_request SET expires_at = now() + $3::interval
    WHERE tenant_id = $1 AND id = $2`,
};

/**
 * Looks at a link so long before its end, by a clock that stands still: a transaction's. The column
 * holds milliseconds.
 */
async function before<T>(
  end: string,
  look: (client: PoolClient, link: PayeeLink) => Promise<T>,
): Promise<T> {
  const link = await makePayeeLink(harness, tenant);
  return inTransaction(harness.services.pool, async (client) => {
    await rows(client, endsIn, [scope.tenantId, link.requestId, end]);
    return look(client, link);
  });
}

it('is seven days from the invitation', async () => {
  const { requestId } = await makePayeeLink(harness, tenant);
  const found = await harness.database.pool.query(
    `SELECT expires_at = created_at + interval '7 days' AS exact FROM collection_request WHERE id = $1`,
    [requestId],
  );
  expect(found.rows).toEqual([{ exact: true }]);
});

const instants = [
  ['just before its end', '2 milliseconds', true],
  ['just after its end', '-2 milliseconds', false],
] as const;

it.each(instants)('%s a link is live for everybody, or for nobody', async (_when, end, live) => {
  const seen = await before(end, async (client, { beneficiaryId, requestId }) => {
    const call = within({ services: harness.services, scope }, client);
    const [facts] = await findStatusFacts(call, [beneficiaryId]);
    return {
      read: (await findRequest(client, scope, beneficiaryId, requestId))?.state,
      submitted: (await lockRequest(client, scope, requestId))?.state,
      facts: facts?.liveRequest !== null,
      repeated: (await findRecent(client, call, [beneficiaryId])).length === 1,
    };
  });
  const state = live ? 'live' : 'expired';
  expect(seen).toEqual({ read: state, submitted: state, facts: live, repeated: live });
});

it.each(instants)('%s it ends as canceled, or has expired', async (_when, end, live) => {
  const ended = await before(end, async (client, { beneficiaryId, requestId }) => {
    // Nothing expires before its time, whoever says so.
    expect(await endLiveRequest(client, scope, beneficiaryId, { as: 'expired' })).toBe(!live);
    await endLiveRequest(client, scope, beneficiaryId, { as: 'canceled' });
    return (await findRequest(client, scope, beneficiaryId, requestId))?.status;
  });
  expect(ended).toBe(live ? 'canceled' : 'expired');
});
