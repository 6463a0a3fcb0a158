import type { InputFieldRef } from '@pothos/core';
import {
  conditionNames,
  conditions,
  type Band as RuleBand,
  type ConditionName,
  type Conditions as RuleConditions,
} from '../../src/domain/approval-policy/conditions.ts';
import { int, of, text } from '../../src/values/columns.ts';
import { BeneficiaryTypeEnum } from '../beneficiary/enums.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { NameCheckAnswerEnum } from '../name-check/type.ts';
import { OriginEnum, SumScopeEnum } from './enums.ts';

const told = {
  currency: 'ISO 4217.',
  from: 'In minor units; it belongs to the band.',
  below: 'In minor units; it does not belong to the band. Null for a band without an upper bound.',
  over: 'Whose payouts it adds up.',
  hours: '24, 168 or 720.',
  bands: 'One for each currency.',
  key: 'The key of the metadata.',
  value: 'Its value.',
};

const BandInput = builder.inputType('ApprovalBandInput', {
  description: 'A band of amounts of one currency.',
  fields: (t) => ({
    currency: t.string({ required: true, description: told.currency }),
    from: t.field({ type: 'MinorUnitsTotal', required: true, description: told.from }),
    below: t.field({ type: 'MinorUnitsTotal', description: told.below }),
  }),
});

const SumInput = builder.inputType('ApprovalSumInput', {
  description: 'A sum over a time, this payout included.',
  fields: (t) => ({
    over: t.field({ type: SumScopeEnum, required: true, description: told.over }),
    hours: t.int({ required: true, description: told.hours }),
    bands: t.field({ type: [BandInput], required: true, description: told.bands }),
  }),
});

const MetadataInput = builder.inputType('ApprovalMetadataInput', {
  description: 'A key of the metadata with a value.',
  fields: (t) => ({
    key: t.string({ required: true, description: told.key }),
    value: t.string({ required: true, description: told.value }),
  }),
});

const Band = builder.objectRef<RuleBand>('ApprovalBand').implement({
  description: 'A band of amounts of one currency.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: told.currency }),
    from: t.field({
      type: 'MinorUnitsTotal',
      description: told.from,
      resolve: ({ from }) => BigInt(from),
    }),
    below: t.field({
      type: 'MinorUnitsTotal',
      nullable: true,
      description: told.below,
      resolve: ({ below }) => (below === null ? null : BigInt(below)),
    }),
  }),
});

const Sum = builder.objectRef<NonNullable<RuleConditions['sum']>>('ApprovalSum').implement({
  description: 'A sum over a time, this payout included.',
  fields: (t) =>
    shown(t, {
      over: of(SumScopeEnum, told.over),
      hours: int(told.hours),
      bands: t.field({ type: [Band], description: told.bands, resolve: ({ bands }) => bands }),
    }),
});

const Metadata = builder
  .objectRef<NonNullable<RuleConditions['metadata']>>('ApprovalMetadata')
  .implement({
    description: 'A key of the metadata with a value.',
    fields: (t) => shown(t, { key: text(told.key), value: text(told.value) }),
  });

/** The types of each condition, as it is given and as it is shown. */
const types = {
  amount: [[BandInput], [Band]],
  sum: [SumInput, Sum],
  purposes: [['String'], ['String']],
  payeeTypes: [[BeneficiaryTypeEnum], [BeneficiaryTypeEnum]],
  payeeCountries: [['String'], ['String']],
  payeeNewDays: ['Int', 'Int'],
  accountNewDays: ['Int', 'Int'],
  origins: [[OriginEnum], [OriginEnum]],
  providers: [['String'], ['String']],
  nameChecks: [[NameCheckAnswerEnum], [NameCheckAnswerEnum]],
  metadata: [MetadataInput, Metadata],
} as const satisfies Record<ConditionName, readonly [unknown, unknown]>;

type Given = typeof builder.$inferSchemaTypes;

export const ConditionsInput = builder.inputType('ApprovalConditionsInput', {
  description:
    'When a rule holds: all that are given must. A rule without conditions holds for every payout.',
  fields: (t) => {
    const fields = conditionNames.map((name) => [
      name,
      // Pothos takes the types of the table, which it cannot see.
      t.field({ type: types[name][0] as 'String', description: conditions[name].description }),
    ]);
    return Object.fromEntries(fields) as Record<ConditionName, InputFieldRef<Given, never>>;
  },
});

export const Conditions = builder.objectRef<RuleConditions>('ApprovalConditions').implement({
  description: 'When a rule holds: all that are not null must.',
  fields: (t) =>
    Object.fromEntries(
      conditionNames.map((name) => [
        name,
        t.field({
          type: types[name][1] as 'String',
          nullable: true,
          description: conditions[name].description,
          resolve: (given) => (given[name] ?? null) as never,
        }),
      ]),
    ),
});
