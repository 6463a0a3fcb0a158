import { z } from 'zod';
import { id, timestamp } from './common.ts';
import { schemaEnum } from './schema-enum.ts';

export const eraseBody = z
  .strictObject({
    ground: schemaEnum('ErasureGround').meta({
      description: 'Why. The record keeps it, and no words, since a reason could name the payee.',
    }),
  })
  .meta({ id: 'BeneficiaryErase' });

export const erasureEnvelope = z.object({
  erasure: z
    .object({
      beneficiary_id: id,
      kind: schemaEnum('ErasureKind'),
      ground: schemaEnum('ErasureGround'),
      erased_at: timestamp,
    })
    .meta({ id: 'BeneficiaryErasure' }),
});

export const personalDataBody = z
  .strictObject({
    payouts_after: z
      .string()
      .nullish()
      .meta({ description: 'next_payouts_after of the page before; absent for the first page.' }),
  })
  .optional();

export const personalDataEnvelope = z.object({
  personal_data: z
    .object({
      beneficiary_id: id,
      data: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).meta({
        description:
          'Lists of what is held, by kind: beneficiary, bank_accounts, payouts and so on. Identifiers are in clear.',
      }),
      next_payouts_after: z
        .string()
        .nullable()
        .meta({ description: 'Where the next page of payouts begins; null after the last page.' }),
    })
    .meta({ id: 'PersonalData' }),
});
