import { z } from 'zod';
import { bankSchemes } from '../../providers/bank-connection.ts';
import { country, knownCurrency, text } from '../../values/fields.ts';

/** Minor units as GraphQL gives them. */
const minorUnits = z
  .union([z.number(), z.bigint(), z.string()])
  .nullish()
  .transform((given, context) => {
    if (given === null || given === undefined) return null;
    const plain = /^\d{1,15}$/.test(String(given));
    if (plain) return BigInt(given);
    context.issues.push({
      code: 'custom',
      input: given,
      params: { code: 'invalid_value' },
      message: 'Must be an amount in minor units.',
    });
    return z.NEVER;
  });

const absent = <T>(given: T | null | undefined): T | null => given ?? null;
const problem = (field: string, code: string, message: string) => ({
  path: [field],
  params: { code },
  message,
});

/** A route: who pays, and what it is chosen by. What is absent matches everything. */
const route = z
  .strictObject({
    provider: text(100).nullish().transform(absent),
    connectionId: text().nullish().transform(absent),
    currency: knownCurrency.nullish().transform(absent),
    country: country.nullish().transform(absent),
    scheme: z.enum(bankSchemes).nullish().transform(absent),
    amountFromMinor: minorUnits,
    amountToMinor: minorUnits,
  })
  .refine(
    ({ provider, connectionId }) => (provider === null) !== (connectionId === null),
    problem('provider', 'required', 'Either provider or connectionId is required, and not both.'),
  )
  .refine(
    ({ scheme, connectionId }) => scheme === null || connectionId !== null,
    problem('scheme', 'invalid_value', 'Only a bank connection pays by a scheme.'),
  )
  .refine(
    ({ currency, amountFromMinor, amountToMinor }) =>
      currency !== null || (amountFromMinor === null && amountToMinor === null),
    problem('currency', 'required', 'Required beside an amount.'),
  )
  .refine(
    ({ amountFromMinor, amountToMinor }) =>
      amountFromMinor === null || amountToMinor === null || amountFromMinor <= amountToMinor,
    problem('amountToMinor', 'invalid_value', 'Must not be less than amountFromMinor.'),
  );

/** The next one is an integer of PostgreSQL too. */
const highestVersion = 2_147_483_646;

/** The whole list, in its order, and the version that its author saw: 0 where there never was one. */
export const routingInput = z.strictObject({
  version: z.int().min(0).max(highestVersion),
  routes: z.array(route).max(100),
});
export type RoutingInput = z.input<typeof routingInput>;
export type RoutingDraft = z.output<typeof routingInput>;
