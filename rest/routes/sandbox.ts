import { payoutEnvelope, payoutParams } from '../contracts/payouts.ts';
import { simulateBody } from '../contracts/sandbox.ts';
import { route } from '../route/route.ts';
import { payoutFields } from './payouts.ts';

export const sandboxRoutes = [
  route({
    method: 'post',
    path: '/v1/sandbox/payouts/:payoutId/simulate',
    operationId: 'simulatePayout',
    summary: 'Simulate what a provider reports about a sandbox payout',
    details:
      'The event goes through the provider simulator and comes back as its webhook, as it would in production. `hold` and `release` apply before the payout is handed over, the others after it.',
    tag: 'Sandbox',
    permission: 'payouts:write',
    params: payoutParams,
    body: simulateBody,
    responses: {
      202: {
        means:
          'The event is handed to the provider; the payout is shown as it is before it arrives. Read it again, or wait for its webhook.',
        body: payoutEnvelope,
      },
    },
    errors: ['SANDBOX_ONLY', 'PAYOUT_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    document: `
      mutation SimulatePayout($payoutId: ID!, $event: SimulatedEvent!) {
        payout: payoutSimulate(payoutId: $payoutId, event: $event) { ...PayoutFields }
      }
      ${payoutFields}`,
    variables: ({ params, body }) => ({ ...params, ...body }),
    answer: (data) => ({ status: 202, body: data }),
  }),
];
