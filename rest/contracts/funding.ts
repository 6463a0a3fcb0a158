import { z } from 'zod';
import { environment, id, openAmount, openCurrency, timestamp } from './common.ts';
import { ledgerBalance, ledgerMode, ledgerSum } from './ledger.ts';
import { schemaEnum } from './schema-enum.ts';

export const fundingAccountEnvelope = z.object({
  funding_account: z
    .object({
      id,
      environment,
      currency: z.string().meta({ description: 'ISO 4217.' }),
      status: schemaEnum('FundingAccountStatus'),
      mode: ledgerMode,
      available_balance_minor: z.int().meta({
        description:
          'Minor units of currency: the balance that was last reported or, in the mode enforced, what the books say is available.',
      }),
      posted_minor: ledgerSum('What the books have on the account funds'),
      held_minor: ledgerSum('What is reserved for approved payouts'),
      in_transit_minor: ledgerSum('What the provider has and has not settled'),
      balances: z.array(ledgerBalance).meta({
        description:
          "What the books say in each currency that there was an entry in, and in the account's own.",
      }),
      as_of: timestamp,
      created_at: timestamp,
    })
    .meta({ id: 'FundingAccount' }),
});

export const booksEnvelope = z.object({
  books: z
    .object({
      mode: ledgerMode,
      balances: z.array(ledgerBalance).meta({
        description: 'A line for each currency that there was an entry in, by its code.',
      }),
    })
    .meta({ id: 'Books' }),
});

export const sandboxBalanceBody = z
  .strictObject({
    // A wrong amount or currency has a code of its own (INVALID_MONEY).
    available_balance_minor: openAmount(0, 'Minor units of currency.'),
    currency: openCurrency("ISO 4217; the account's currency."),
  })
  .meta({ id: 'SandboxBalance' });
