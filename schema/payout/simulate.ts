import { simulatePayout } from '../../src/domain/sandbox/simulate.ts';
import type { simulatedEvents } from '../../src/values/simulated-event.ts';
import { builder } from '../builder.ts';
import { describedEnum } from '../common/described-enum.ts';
import { Payout } from './type.ts';

const SimulatedEventEnum = describedEnum<(typeof simulatedEvents)[number]>(
  'SimulatedEvent',
  'What can be simulated for a payout in the sandbox. hold and release apply before the payout is handed over to the provider, the others after it.',
  {
    acknowledge: 'The provider acknowledges the payout.',
    estimate: 'The provider estimates the arrival.',
    disburse: 'The money leaves.',
    settle: 'The money arrives.',
    fail: 'The payout fails.',
    return: 'The money comes back.',
    hold: 'The payout is held for compliance.',
    release: 'The hold is released.',
  },
);

builder.mutationField('payoutSimulate', (t) =>
  t.field({
    nullable: true,
    type: Payout,
    description:
      'Makes the simulated provider report something about a payout. Its event arrives a moment later. Sandbox only.',
    args: {
      payoutId: t.arg.id({ required: true, description: 'The payout.' }),
      event: t.arg({ type: SimulatedEventEnum, required: true, description: 'What is to happen.' }),
    },
    resolve: (_root, { payoutId, event }, context) =>
      simulatePayout(context.call, payoutId, { event }),
  }),
);
