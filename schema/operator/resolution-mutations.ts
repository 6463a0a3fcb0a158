import { answerResolution } from '../../src/domain/operator/answer-resolution.ts';
import type { ConfirmationAnswer } from '../../src/domain/operator/confirmation-store.ts';
import { builder } from '../builder.ts';
import { reasonArg, tenantArgs } from './args.ts';
import { describedEnum } from '../common/described-enum.ts';
import { OperatorPayoutOrder } from './payout-mutations.ts';

const PayoutResolutionAnswer = describedEnum<ConfirmationAnswer>(
  'PayoutResolutionAnswer',
  "What a second person says to an operator's resolution.",
  {
    confirmed: 'It is right, and is carried out.',
    declined: 'It ends without an effect.',
  },
);

builder.mutationFields((t) => ({
  operatorPayoutResolutionAnswer: t.field({
    nullable: true,
    type: OperatorPayoutOrder,
    description:
      'Operators only. Answers a resolution that waits for a second person (ops.resolutions_to_confirm). Throws not_found for an order that does not wait, and conflict for the person who ordered it, who may only decline it.',
    args: {
      ...tenantArgs(),
      orderId: t.arg.id({
        required: true,
        description: 'The actionId of operatorPayoutResolve, or the order_id that ops shows.',
      }),
      answer: t.arg({
        type: PayoutResolutionAnswer,
        required: true,
        description: 'What the second person says.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => answerResolution(context.operatorCall, args),
  }),
}));
