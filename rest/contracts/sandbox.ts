import { z } from 'zod';
import { schemaEnum } from './schema-enum.ts';

export const simulateBody = z
  .strictObject({
    event: schemaEnum('SimulatedEvent').meta({
      description:
        'What is to happen. hold and release concern payouts before the hand-over to the provider, the others those after it.',
    }),
  })
  .meta({ id: 'PayoutSimulate' });
