import { requirePermission } from '../../src/access/scope.ts';
import {
  corridorRequirements,
  type CorridorRequirements,
} from '../../src/domain/bank-account/corridors.ts';
import { isCountry } from '../../src/reference/countries.ts';
import { purposesOfPayment } from '../../src/reference/purposes.ts';
import { bool, listOf, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { PurposeOfPaymentEnum } from '../payout/enums.ts';

type Option = CorridorRequirements['options'][number];
type OptionField = Option['fields'][number];

const CorridorField = builder.objectRef<OptionField>('CorridorField').implement({
  description: 'An identifier that an alternative needs.',
  fields: (t) =>
    shown(t, {
      field: text('Name of the field, as in BankAccountInput.'),
      description: text('What it is.'),
      pattern: text.orNull(
        'Regular expression of the normalised form; null when any text is accepted.',
      ),
    }),
});

const CorridorOption = builder.objectRef<Option>('CorridorOption').implement({
  description: 'One way to identify an account. All of its fields are needed.',
  fields: (t) =>
    shown(t, {
      validated: bool('Whether an account that passes the checks of these fields is validated.'),
      fields: listOf(CorridorField, 'The fields.'),
    }),
});

export const Corridor = builder.objectRef<CorridorRequirements>('Corridor').implement({
  description: 'What a bank account in a country needs.',
  fields: (t) =>
    shown(t, {
      country: text('ISO 3166-1 alpha-2.'),
      payoutUsable: bool('Whether an account there can become a destination of payouts.'),
      required: t.stringList({
        description: 'Fields that every account needs.',
        resolve: (corridor) => [...corridor.required],
      }),
      options: listOf(CorridorOption, 'Alternatives: an account needs all fields of one of them.'),
    }),
});

builder.queryFields((t) => ({
  corridor: t.field({
    type: Corridor,
    nullable: true,
    description: 'What a bank account in a country needs; null when there is no such country.',
    args: { country: t.arg.string({ required: true, description: 'ISO 3166-1 alpha-2.' }) },
    resolve: (_root, { country }, context) => {
      requirePermission(context.call.scope, 'read');
      const code = country.toUpperCase();
      return isCountry(code) ? corridorRequirements(code) : null;
    },
  }),
  purposesOfPayment: t.field({
    type: [PurposeOfPaymentEnum],
    description: 'The values of purposeOfPayment.',
    resolve: (_root, _args, context) => {
      requirePermission(context.call.scope, 'read');
      return [...purposesOfPayment];
    },
  }),
}));
