import { z } from 'zod';
import { countryCodes } from '../../reference/countries.ts';
import { currencyCodes } from '../../reference/currencies.ts';
import { nameCheckResults } from '../../providers/name-check.ts';
import { purposesOfPayment } from '../../reference/purposes.ts';
import { text } from '../../values/fields.ts';
import { maximumAmountMinor } from '../../values/money.ts';

/** What created a payout: a person who is signed in, or an API key. */
export const payoutOrigins = ['console', 'api_key'] as const;

/** Whose payouts a sum adds up. */
export const sumScopes = ['payee', 'creator', 'business'] as const;
export type SumScope = (typeof sumScopes)[number];

/** The hours over which a sum adds up: a day, a week, thirty days. */
export const sumHours = [24, 168, 720] as const;

/** How many values a condition may name. */
const mostValues = 300;
const days = z.int().min(1).max(365);
const listOf = <T extends string>(values: readonly T[]) =>
  z
    .array(z.enum(values as [T, ...T[]]))
    .min(1)
    .max(mostValues);

/** Sums may exceed the amount of one payout by far. */
const mostMinor = maximumAmountMinor * 1_000;

/** Minor units, also as the texts in which GraphQL has sums. */
const minor = z
  .union([z.number(), z.bigint(), z.string().regex(/^[0-9]{1,16}$/)])
  .transform(Number)
  .pipe(z.int().min(0).max(mostMinor));

const band = z
  .strictObject({
    currency: z.enum(currencyCodes as [string, ...string[]]),
    from: minor,
    below: minor.nullish().transform((value) => value ?? null),
  })
  .refine(({ from, below }) => below === null || below > from, {
    path: ['below'],
    message: 'must be more than from',
  });

/** One band for a currency: from its lower bound, which belongs to it, to its upper one, which does not. */
const bands = z
  .array(band)
  .min(1)
  .max(currencyCodes.length)
  .refine((all) => new Set(all.map(({ currency }) => currency)).size === all.length, {
    message: 'names a currency twice',
  });
export type Band = z.output<typeof band>;

interface Condition {
  /** What a rule says of it. */
  readonly schema: z.ZodType;
  /** SQL that is true where it holds: `_when` has the rule's conditions, `_facts` the payout's, `_strict` whether a currency without a band is in it. */
  readonly holds: string;
  readonly description: string;
}

/** SQL: whether an amount is in the band of the payout's currency (in-band.sql). */
const inBands = (bands: string, minor: string): string =>
  `command.in_band(${bands}, _facts ->> 'currency', (${minor})::numeric, _strict)`;

/**
 * The conditions of a rule, all of which must hold; one that the rule leaves out holds always. The checks of the input,
 * the function that the database judges by and the types of GraphQL are made of this table.
 */
export const conditions = {
  amount: {
    schema: bands,
    holds: inBands(`_when -> 'amount'`, `_facts ->> 'amountMinor'`),
    description:
      'Bands of the amount by currency, in minor units. A currency without a band is in it, except for a rule that lets payouts pass.',
  },
  sum: {
    schema: z.strictObject({
      over: z.enum(sumScopes),
      hours: z.literal([...sumHours]),
      bands,
    }),
    holds: inBands(
      `_when #> '{sum,bands}'`,
      `_facts -> 'sums' ->> ((_when #>> '{sum,over}') || ' ' || (_when #>> '{sum,hours}'))`,
    ),
    description:
      'Bands of what the payouts of the same currency add up to, this one included: of the payee, of the creator or of the business, over 24, 168 or 720 hours. What was rejected or canceled, failed or came back does not count.',
  },
  purposes: {
    schema: listOf(purposesOfPayment),
    holds: `_when -> 'purposes' ? (_facts ->> 'purpose')`,
    description: 'One of these purposes of payment.',
  },
  payeeTypes: {
    schema: listOf(['person', 'business'] as const),
    holds: `_when -> 'payeeTypes' ? (_facts ->> 'payeeType')`,
    description: 'The payee is a person, or a business.',
  },
  payeeCountries: {
    schema: listOf(countryCodes),
    holds: `coalesce(_when -> 'payeeCountries' ? (_facts ->> 'payeeCountry'), _strict)`,
    description:
      'The payee lives or is registered in one of these countries (ISO 3166-1 alpha-2). An unknown country is one of them, except for a rule that lets payouts pass.',
  },
  payeeNewDays: {
    schema: days,
    holds: `(_facts ->> 'payeeSeconds')::numeric < (_when ->> 'payeeNewDays')::numeric * 86400`,
    description: 'The payee was registered within these days.',
  },
  accountNewDays: {
    schema: days,
    holds: `(_facts ->> 'accountSeconds')::numeric < (_when ->> 'accountNewDays')::numeric * 86400`,
    description: 'The bank account is new, or got other details, within these days.',
  },
  origins: {
    schema: listOf(payoutOrigins),
    holds: `coalesce(_when -> 'origins' ? (_facts ->> 'origin'), _strict)`,
    description: 'Created by a person who is signed in, or with an API key.',
  },
  providers: {
    schema: z.array(text(64)).min(1).max(100),
    holds: `coalesce(_when -> 'providers' ? (_facts ->> 'provider'), _strict)`,
    description:
      'The route of the payout leads to one of these providers, named as in the field via. An unknown one counts, except for a rule that lets payouts pass.',
  },
  nameChecks: {
    schema: listOf(nameCheckResults),
    holds: `coalesce(_when -> 'nameChecks' ? (_facts ->> 'nameCheck'), _strict)`,
    description:
      "One of these is what the bank of the account says of the holder's name. An account that nobody was asked about, or whose bank has not answered, counts, except for a rule that lets payouts pass.",
  },
  metadata: {
    schema: z.strictObject({ key: text(64), value: text(500) }),
    holds: `coalesce((_facts -> 'metadata' ->> (_when #>> '{metadata,key}')) = (_when #>> '{metadata,value}'), false)`,
    description: 'The metadata of the payout has this value under this key.',
  },
} as const satisfies Record<string, Condition>;

export type ConditionName = keyof typeof conditions;
export const conditionNames = Object.keys(conditions) as readonly ConditionName[];

type Schemas = { readonly [Name in ConditionName]: (typeof conditions)[Name]['schema'] };
// `Object.fromEntries` forgets which schema stands under which name.
const schemas = Object.fromEntries(
  conditionNames.map((name) => [name, conditions[name].schema]),
) as unknown as Schemas;

type Optional = { readonly [Name in ConditionName]: z.ZodOptional<z.ZodNullable<Schemas[Name]>> };

/** What a rule says of each condition; one that it leaves out is absent. */
export type Conditions = { readonly [Name in ConditionName]?: z.output<Schemas[Name]> };

/** The conditions of a rule as they are given; null and absent mean the same. */
export const conditionsInput = z
  .strictObject(
    Object.fromEntries(
      conditionNames.map((name) => [name, schemas[name].nullish()]),
    ) as unknown as Optional,
  )
  .transform((given): Conditions => {
    const said = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
    return Object.fromEntries(said);
  });
