import { z } from 'zod';
import { schemaEnum } from './schema-enum.ts';

export const simulateBody = z
  .strictObject({
    event: schemaEnum('SimulatedEvent').meta({
      description:
        'What is simulated. hold and release apply before the payout is handed over to the provider, the others after it.',
    }),
  })
  .meta({ id: 'PayoutSimulate' });
