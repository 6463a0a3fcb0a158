import { z } from 'zod';
import { environment, id, timestamp } from './common.ts';
import { schemaEnum } from './schema-enum.ts';

export const fundingAccountEnvelope = z.object({
  funding_account: z
    .object({
      id,
      environment,
      currency: z.string().meta({ description: 'ISO 4217.' }),
      status: schemaEnum('FundingAccountStatus'),
      available_balance_minor: z
        .int()
        .meta({ description: 'Reported balance in minor units of currency.' }),
      as_of: timestamp,
      created_at: timestamp,
    })
    .meta({ id: 'FundingAccount' }),
});

export const sandboxBalanceBody = z
  .strictObject({
    // A wrong amount or currency has a code of its own (INVALID_MONEY), so the shape is left open.
    available_balance_minor: z.union([z.number(), z.string()]).meta({
      description: 'Integer of minor units of currency, 0 to 999,999,999,999.',
      override: { type: 'integer', minimum: 0, maximum: 999_999_999_999 },
    }),
    currency: z.string().meta({ description: "ISO 4217; the account's currency." }),
  })
  .meta({ id: 'SandboxBalance' });
