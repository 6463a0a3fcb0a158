import { newUlid } from '../../../../src/values/ulid.ts';
import * as commands from '../../../matrix/codes/commands.ts';
import { misnamed, payout } from '../../../matrix/codes/place.ts';
import { payoutBody } from '../../../support/factory.ts';
import type { Refusal } from './further-refusals.ts';

const code = 'NAME_CHECK_NOT_PASSED';

/** What a business refuses to whose account its bank has by another name. */
export const nameRefusals: readonly Refusal[] = [
  {
    operation: 'approvePayout',
    code,
    summary: 'A payout to an account that its bank has by another name',
    make: async (place) => commands.approve((await payout(place, await misnamed(place))).id).rest,
  },
  {
    operation: 'createDecision',
    code,
    summary: 'An approval of such a payout',
    make: async (place) => ({
      method: 'POST',
      path: `/v1/payouts/${(await payout(place, await misnamed(place))).id}/decisions`,
      body: { decision_id: newUlid(), status: 'approved' },
    }),
  },
  {
    operation: 'createPayout',
    code,
    summary: 'A payout that approves itself, to such an account',
    make: async (place) =>
      commands.createPayout(payoutBody(await misnamed(place), { validator_strategy: 'auto' })).rest,
  },
];
