import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../support/factory.ts';
import type { Harness } from '../support/harness.ts';

/** A tenant of production that pays through the one provider of the harness. */
export interface ProviderPayouts {
  readonly tenant: TestTenant;
  /** Creates a payout and approves it; returns its id. */
  approved(): Promise<string>;
  /** What `find` makes of the id of the payout's attempt, once the provider has it. */
  submitted<T>(payoutId: string, find: (attemptId: string) => T | undefined): Promise<T>;
  /** The payout, once it is in the state. */
  reaches(payoutId: string, state: string): Promise<Record<string, unknown>>;
}

export async function providerPayouts(harness: Harness): Promise<ProviderPayouts> {
  const tenant = await makeTenant(harness, { environment: 'production' });
  const { key } = tenant;
  return {
    tenant,
    async approved() {
      const body = payoutBody(await makePayee(harness, key));
      const { payout } = (await harness.rest('POST', '/v1/payouts', { key, body })).body;
      const answer = await harness.rest('POST', `/v1/payouts/${payout.id}/approve`, { key });
      if (answer.status !== 200) throw new Error(answer.text);
      return payout.id as string;
    },
    submitted: (payoutId, find) =>
      eventually(async () => {
        const { rows } = await harness.database.pool.query<{ id: string }>(
          "SELECT id FROM disbursement_attempt WHERE payout_id = $1 AND status = 'submitted'",
          [payoutId],
        );
        const [attempt] = rows;
        return attempt && find(attempt.id);
      }),
    reaches: (payoutId, state) =>
      eventually(async () => {
        const { body } = await harness.rest('GET', `/v1/payouts/${payoutId}`, { key });
        return body.payout.state === state && body.payout;
      }),
  };
}
