import { z } from 'zod';
import { environment, id, openAmount, openCurrency, timestamp } from './common.ts';
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
    // A wrong amount or currency has a code of its own (INVALID_MONEY).
    available_balance_minor: openAmount(0, 'Minor units of currency.'),
    currency: openCurrency("ISO 4217; the account's currency."),
  })
  .meta({ id: 'SandboxBalance' });
