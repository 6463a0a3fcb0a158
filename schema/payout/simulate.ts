import { simulatePayout } from '../../src/domain/sandbox/simulate.ts';
import { simulatedEvents } from '../../src/values/simulated-events.ts';
import { builder } from '../builder.ts';
import { Payout } from './type.ts';

const SimulatedEventEnum = builder.enumType('SimulatedEvent', {
  description:
    'What the sandbox can make happen to a payout. hold and release: before the hand-over; the others: after it.',
  values: simulatedEvents,
});

builder.mutationField('payoutSimulate', (t) =>
  t.field({
    nullable: true,
    type: Payout,
    description:
      "Makes the sandbox's provider say something of a payout; what it says arrives a moment later. Sandbox only.",
    args: {
      payoutId: t.arg.id({ required: true, description: 'The payout.' }),
      event: t.arg({ type: SimulatedEventEnum, required: true, description: 'What is to happen.' }),
    },
    resolve: (_root, { payoutId, event }, context) =>
      simulatePayout(context.call, payoutId, { event }),
  }),
);
