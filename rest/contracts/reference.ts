import { z } from 'zod';

export const corridorParams = z.strictObject({
  country: z.string().meta({ description: 'ISO 3166-1 alpha-2.' }),
});

/** What a bank account in a country needs. */
export const corridorEnvelope = z.object({
  corridor: z
    .object({
      country: z.string(),
      payout_usable: z.boolean().meta({
        description: 'Whether an account there can become a destination of payouts.',
      }),
      required: z.array(z.string()).meta({ description: 'Fields that every account needs.' }),
      options: z
        .array(
          z.object({
            validated: z.boolean().meta({
              description: 'Whether passing its checks makes the account validated.',
            }),
            fields: z.array(
              z.object({
                field: z.string(),
                description: z.string(),
                pattern: z.string().nullable().meta({
                  description: 'Regular expression; null where any text is taken.',
                }),
              }),
            ),
          }),
        )
        .meta({ description: 'Alternatives: all fields of one of them are needed.' }),
    })
    .meta({ id: 'Corridor' }),
});

export const purposeList = z.object({ purposes: z.array(z.string()) });
