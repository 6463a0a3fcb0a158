import { z } from 'zod';

export const simulateBody = z
  .strictObject({
    event: z
      .enum(['acknowledge', 'estimate', 'disburse', 'settle', 'fail', 'return', 'hold', 'release'])
      .meta({
        description:
          'What is to happen. hold and release concern payouts before the hand-over to the provider, the others those after it.',
      }),
  })
  .meta({ id: 'PayoutSimulate' });
