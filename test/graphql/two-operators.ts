import { beforeEach } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { useBankInbox } from '../support/bank-inbox.ts';
import { systemCall } from '../support/fake-provider.ts';
import { proposedChanges, type Listed } from '../support/proposed-changes.ts';
import type { Call } from '../../src/process/services.ts';

/** Payments at the bank of a business, in an installation that has two operators. */
export function useTwoOperators() {
  const world = useBankInbox({ LOG_LEVEL: 'silent', OPERATOR_CONFIRMATION: 'second_person' });
  const people = {} as Record<'ada' | 'adaAgain' | 'grace', { id: string; key: string }>;
  beforeEach(async () => {
    const { pool } = world.harness.database;
    people.ada = await issueOperatorKey(pool, 'Ada');
    people.adaAgain = await issueOperatorKey(pool, ' ada');
    people.grace = await issueOperatorKey(pool, 'Grace');
  });

  return Object.assign(world, {
    people,

    /** Makes what the tests did in the sandbox the business's production. */
    async inProduction(): Promise<Call> {
      const { businessId, tenantId } = world.tenant;
      await world.sql('DELETE FROM tenant WHERE business_id = $1 AND id <> $2', [
        businessId,
        tenantId,
      ]);
      await world.sql(`UPDATE tenant SET environment = 'production' WHERE id = $1`, [tenantId]);
      return systemCall(world.call.services, tenantId);
    },

    ask: async (key: string, text: string, variables: object = {}) => {
      const { body } = await world.harness.graphql(key, text, {
        businessId: world.tenant.businessId,
        ...variables,
      });
      return body.errors === undefined ? body.data.done : body.errors[0].extensions.code;
    },

    /** The changes that wait, as the operator of a key sees them. */
    waitingChanges: (key = people.grace.key): Promise<Listed[]> =>
      proposedChanges(world.harness).waiting(world.tenant, key),

    /** What an answer comes to: the status, or what refuses it. */
    async answerChange(
      change: Pick<Listed, 'changeId' | 'digest'> | undefined,
      key: string,
      answer = 'confirmed',
    ): Promise<string> {
      if (change === undefined) throw new Error('nothing waits');
      const changes = proposedChanges(world.harness);
      const { body } = await changes.answer(world.tenant, change, key, answer);
      return body.data?.done?.status ?? body.errors?.[0]?.message;
    },
  });
}
