import type { PoolClient } from 'pg';
import { makeScope } from '../../src/access/scope.ts';
import { insertPayouts } from '../../src/domain/payout/create-store.ts';
import { unrouted } from '../../src/domain/payout/route-verdict.ts';
import { newId } from '../../src/values/ids.ts';

const hash = Buffer.alloc(32);

/** The statement of a create, with nothing around it: no HTTP, no validation, no GraphQL. */
export async function createRowsFloor(
  client: PoolClient,
  tenant: { readonly tenantId: string; readonly businessId: string },
  body: Record<string, unknown>,
): Promise<void> {
  const scope = makeScope({
    ...tenant,
    environment: 'sandbox',
    actor: { type: 'system', name: 'bench' },
  });
  const [outcome] = await insertPayouts(
    client,
    scope,
    [
      {
        id: newId('payout'),
        idempotencyKey: String(body['idempotency_key']),
        requestHash: hash,
        beneficiaryId: String(body['beneficiary_id']),
        bankAccountId: String(body['bank_account_id']),
        amountMinor: BigInt(Number(body['amount_minor'])),
        amount: '1250.00',
        currency: 'USD',
        purposeOfPayment: 'contractor_payment',
        externalRef: null,
        validatorStrategy: 'manual',
        replacesPayoutId: null,
        metadata: null,
        decision: null,
        echoDiffers: false,
        echoRevision: null,
        route: unrouted,
        madeOf: null,
      },
    ],
    { dryRun: false, atomic: false, keyHours: 24 },
  );
  if (outcome?.kind !== 'created')
    throw new Error(`the statement answered ${String(outcome?.kind)}`);
}
