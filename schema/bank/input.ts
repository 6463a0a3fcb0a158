import { builder } from '../builder.ts';
import { BankSchemeEnum } from './enums.ts';

const PayoutRouteInput = builder.inputType('PayoutRouteInput', {
  description: 'A route. What is left out matches everything.',
  fields: (t) => ({
    provider: t.string({ description: 'Name of a provider that is called.' }),
    connectionId: t.id({ description: 'A bank connection instead.' }),
    currency: t.string({ description: 'ISO 4217 code.' }),
    country: t.string({ description: "Of the payee's account, ISO 3166-1 alpha-2." }),
    scheme: t.field({ type: BankSchemeEnum, description: 'How the bank is to pay.' }),
    amountFromMinor: t.field({
      type: 'MinorUnits',
      description: 'Smallest amount, in minor units of currency.',
    }),
    amountToMinor: t.field({
      type: 'MinorUnits',
      description: 'Largest amount, in minor units of currency.',
    }),
  }),
});

/** A whole list of routes. */
export const routesArg = () =>
  builder.args((t) => ({
    routes: t.field({
      type: [PayoutRouteInput],
      required: true,
      description: 'The whole list, in its order, at most 100.',
    }),
  }));

/** The arguments by which a list of routes is replaced. */
export const routingArgs = () => ({
  ...builder.args((t) => ({
    version: t.int({
      required: true,
      description: 'The version that the list was seen in; 0 where there never was one.',
    }),
  })),
  ...routesArg(),
});
