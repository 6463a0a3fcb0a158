import { beforeAll, expect, it } from 'vitest';
import { jobScope } from '../../../src/access/system.ts';
import type { Scope } from '../../../src/access/scope.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { insertEnrollment, recordOutcome } from '../../../src/domain/enrollment/store.ts';
import { newId } from '../../../src/values/ids.ts';
import { makePayee, type TestPayee } from '../../support/factory.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

let scope: Scope;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  const actor = { type: 'system', name: 'test' } as const;
  scope = await jobScope(harness.services.pool, tenant.tenantId, actor);
});

const refused = { recipientId: null, failureMessage: 'The bank refused it.' };

async function begun(payee: TestPayee): Promise<string> {
  const id = newId('enrollment');
  const enrollment = {
    ...payee,
    id,
    version: 1,
    provider: 'simulator',
    payeeCiphertext: Buffer.of(1),
  };
  await inTransaction(harness.services.pool, (client) =>
    insertEnrollment(client, scope, enrollment),
  );
  return id;
}

const ends = (id: string, outcome: Parameters<typeof recordOutcome>[3]) =>
  recordOutcome(harness.services.pool, scope, id, outcome);

async function told({ beneficiaryId, bankAccountId }: TestPayee): Promise<unknown> {
  const { rows } = await harness.database.pool.query(
    `SELECT b.enrollment_status AS status, b.enrolled_bank_account_id = $2 AS enrolled,
       a.rail_rejection_reason AS reason
     FROM beneficiary b JOIN bank_account a ON a.id = $2 WHERE b.id = $1`,
    [beneficiaryId, bankAccountId],
  );
  return rows[0];
}

it('is recorded once: whoever comes later changes nothing', async () => {
  const payee = await makePayee(harness, tenant.key);
  const id = await begun(payee);
  const recorded = await ends(id, { recipientId: `rcp_${id}` });
  expect(recorded).toMatchObject({ status: 'verified', payeeCiphertext: null });
  expect(await ends(id, refused)).toBeNull();
  expect(await ends(id, { recipientId: 'rcp_another' })).toBeNull();
  expect(await told(payee)).toEqual({ status: 'verified', enrolled: true, reason: null });
});

it('of a refusal stands on the account until the account is taken after all', async () => {
  const payee = await makePayee(harness, tenant.key);
  await ends(await begun(payee), refused);
  expect(await told(payee)).toEqual({
    status: 'rejected',
    enrolled: null,
    reason: 'The bank refused it.',
  });
  const again = await begun(payee);
  await ends(again, { recipientId: `rcp_${again}` });
  expect(await told(payee)).toEqual({ status: 'verified', enrolled: true, reason: null });
});
