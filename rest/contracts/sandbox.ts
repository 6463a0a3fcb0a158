import { z } from 'zod';
import { simulatedEvents } from '../../src/values/simulated-event.ts';

export const simulateBody = z
  .strictObject({
    event: z.enum(simulatedEvents).meta({
      description:
        'What is simulated. hold and release apply before the payout is handed over to the provider, the others after it.',
    }),
  })
  .meta({ id: 'PayoutSimulate' });
