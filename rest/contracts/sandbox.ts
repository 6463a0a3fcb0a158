import { z } from 'zod';
import { simulatedEvents } from '../../src/values/simulated-events.ts';

export const simulateBody = z
  .strictObject({
    event: z.enum(simulatedEvents).meta({
      description:
        'What is to happen. hold and release concern payouts before the hand-over to the provider, the others those after it.',
    }),
  })
  .meta({ id: 'PayoutSimulate' });
