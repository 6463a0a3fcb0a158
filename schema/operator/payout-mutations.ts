import {
  operatorLookUpPayout,
  operatorResolvePayout,
  type OrderedPayout,
} from '../../src/domain/operator/order-payout.ts';
import type { resolutions } from '../../src/domain/operator/resolve-payout.ts';
import { id, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { evidenceArg, tenantArgs, toldReasonArg } from './args.ts';
import { describedEnum } from '../common/described-enum.ts';

export const PayoutResolution = describedEnum<(typeof resolutions)[number]>(
  'PayoutResolution',
  'What an operator found became of the money.',
  {
    paid: 'The money was paid.',
    not_paid: 'The money was not paid.',
  },
);

export const OperatorPayoutOrder = builder
  .objectRef<OrderedPayout>('OperatorPayoutOrder')
  .implement({
    description: "An operator's order about a payout, which a job carries out.",
    fields: (t) =>
      shown(t, {
        payoutId: id('The payout.'),
        actionId: id('Id of the line of ops.action_log that records it.'),
        outcome: text.orNull(
          'What became of the order; null until the job has run. ops.action_log shows it then.',
        ),
      }),
  });

builder.mutationFields((t) => ({
  operatorPayoutLookUp: t.field({
    nullable: true,
    type: OperatorPayoutOrder,
    description:
      "Operators only. Asks the provider about a payout's attempt now, and applies the answer as the reconciliation does. Outcomes: applied, nothing_new, not_at_provider, contradicts, no_answer, no_attempt, no_provider.",
    args: {
      ...tenantArgs(),
      payoutId: t.arg.id({ required: true, description: 'The payout.' }),
      ...toldReasonArg(),
    },
    resolve: (_root, args, context) => operatorLookUpPayout(context.operatorCall, args),
  }),
  operatorPayoutResolve: t.field({
    nullable: true,
    type: OperatorPayoutOrder,
    description:
      'Operators only. Records the outcome of an attempt whose outcome is unknown, that needs an operator or whose debit a bank has not shown in time; the provider is asked first, and its answer overrules the order. Outcomes: paid, not_paid, noted, provider_answered, provider_has_it, contradicts, no_answer, not_open, provider_payout_id_taken, declined. Where RESOLUTION_CONFIRMATION asks for a second person, it waits for operatorPayoutResolutionAnswer.',
    args: {
      ...tenantArgs(),
      payoutId: t.arg.id({ required: true, description: 'The payout.' }),
      outcome: t.arg({
        type: PayoutResolution,
        required: true,
        description: 'paid: the payout becomes disbursed; not_paid: it becomes failed.',
      }),
      providerPayoutId: t.arg.id({
        description: "The provider's id of the payment; needed for paid.",
      }),
      ...evidenceArg(),
      ...toldReasonArg(),
    },
    resolve: (_root, args, context) => operatorResolvePayout(context.operatorCall, args),
  }),
}));
