import { inTransaction } from '../../../src/db/pool.ts';
import { closeBankBatches } from '../../../src/domain/bank-batch/close.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { connectProvider } from '../../../src/domain/provider-connection/write.ts';
import { replaceRoutes } from '../../../src/domain/route/replace.ts';
import { routingInput } from '../../../src/domain/route/input.ts';
import type { Call } from '../../../src/process/services.ts';
import { bankRows, type AnsweredPayment } from '../bank-rows.ts';
import { americanBank, insertBank } from '../banking.ts';
import { makePayee, payoutBody } from '../factory.ts';
import { newApproved, systemCall } from '../fake-provider.ts';
import type { Harness } from '../harness.ts';

/** What a tenant has at its bank about one payee. */
export interface BankParts {
  readonly batchId: string;
  readonly fileId: string;
  readonly lineId: string;
  readonly answerId: string;
  readonly proposalId: string;
}

/** In minor units. Payments of more leave by the bank, and the others by the provider, as without any routes. */
const largest = 80_000_000;

/** The cut-off of a day's end that was an hour ago, so that no clock makes a file while a test runs. */
function passedCutOff() {
  const time = new Date(Date.now() - 3_600_000).toISOString().slice(11, 16);
  return { cutOffTime: time, timeZone: 'UTC' };
}

/** An approved payout that waits for a file of the bank. */
async function addWaiting(harness: Harness, tenantId: string, key: string): Promise<void> {
  const payee = await makePayee(harness, key);
  const body = payoutBody(payee, { amount_minor: largest + 1, validator_strategy: 'auto' });
  const id = await newApproved(harness, key, body);
  await disbursePayout(await systemCall(harness.services, tenantId), id);
}

/** An account at a provider that is called, to which no route leads. */
async function addAccount(call: Call): Promise<void> {
  const mode = call.scope.environment === 'production' ? 'live' : 'test';
  const settings = {
    apiKey: `sk_${mode}_0123456789abcdef`,
    financialAccount: 'fa_of_a_test',
    webhookSecret: 'whsec_0123456789abcdef',
  };
  const draft = { name: 'An account', adapter: 'stripe', settings };
  await inTransaction(call.services.pool, (client) => connectProvider(client, call, draft));
}

/**
 * A bank connection with a file whose debits no statement has shown, and payouts that wait for the next one; and
 * a second connection, to which no route leads. Gives the id of the first.
 */
export async function addBank(harness: Harness, tenantId: string, key: string): Promise<string> {
  const { database, services } = harness;
  const facts = { ...americanBank, ...passedCutOff() };
  await insertBank(harness, { tenantId }, facts);
  const connectionId = await insertBank(harness, { tenantId }, facts);
  const call = await systemCall(services, tenantId);
  await addAccount(call);
  const [provider] = services.providers.namesIn(call.scope.environment);
  const small = { provider, currency: 'USD', amountToMinor: largest };
  const routes = [...(provider === undefined ? [] : [small]), { connectionId }];
  const draft = routingInput.parse({ version: 0, routes });
  await inTransaction(services.pool, (client) => replaceRoutes(client, call, draft));
  await addWaiting(harness, tenantId, key);
  await addWaiting(harness, tenantId, key);
  await closeBankBatches(call, connectionId, { onRequest: true });
  // The bank has it, so no worker brings it there.
  await database.pool.query(
    `UPDATE bank_batch SET status = 'sent', sent_at = now(), taken_at = now(), execution_date = '2026-01-02'
     WHERE tenant_id = $1`,
    [tenantId],
  );
  await addWaiting(harness, tenantId, key);
  return connectionId;
}

/** What the bank says of a payee's account, all new. */
export async function addBankParts(
  { database: { pool }, services }: Harness,
  { tenantId, connectionId }: { readonly tenantId: string; readonly connectionId: string },
  of: AnsweredPayment,
): Promise<BankParts> {
  const rows = bankRows(pool, await systemCall(services, tenantId));
  const sent = { status: 'sent', sent_at: new Date(), taken_at: new Date() };
  const batchId = await rows.batch(connectionId, sent);
  const fileId = await rows.file(connectionId);
  const lineId = await rows.line(connectionId, fileId);
  const answerId = await rows.strayAnswer(connectionId, fileId);
  const proposalId = await rows.proposal(connectionId, fileId, of);
  return { batchId, fileId, lineId, answerId, proposalId };
}
