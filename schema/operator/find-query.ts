import {
  findAnything,
  mostHits,
  type FoundThing,
} from '../../src/domain/operator/find-anything.ts';
import { id, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { OperatorPlace, placeOf } from './listed.ts';

const OperatorFound = builder.objectRef<FoundThing>('OperatorFound').implement({
  description: 'Something that an operator looked for.',
  fields: (t) =>
    shown(t, {
      kind: text('What it is, for example payout or bank batch.'),
      id: id('Its id.'),
      state: text.orNull('Its state; null for something that has none.'),
      payoutId: id.orNull('The payout that it is or belongs to; null for something of no payout.'),
      of: t.field({
        type: OperatorPlace,
        nullable: true,
        description: 'Whose it is; null for something of no single tenant.',
        resolve: placeOf,
      }),
    }),
});

builder.queryFields((t) => ({
  operatorFind: t.field({
    type: [OperatorFound],
    description: `Operators only. What an id names, of whichever business; or the payouts that carry this text as the reference of their business or as their id at the provider. The newest ${mostHits}; none for an unknown one. Throws validation_failed for an empty text.`,
    args: {
      what: t.arg.string({
        required: true,
        description:
          "An id, for example of a payout or an event, also as a bank statement writes it (PAY-01K…); the external reference of a payout; or a provider's id of a payment. The whole of it, up to 255 characters.",
      }),
    },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, args, context) => findAnything(context.operatorCall, args),
  }),
}));
