import type { PayoutState, PayoutAction } from '../../src/domain/payout/machine.ts';
import { permittedActions } from '../../src/domain/payout/permitted.ts';
import { waitsFor, type WaitReason } from '../../src/domain/payout/waits-for.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';
import { needsAnotherApprover } from './demand.ts';
import { Payout } from './type.ts';

const PayoutActionEnum = builder.enumType('PayoutAction', {
  description: 'What a caller may ask of a payout.',
  values: describedValues<PayoutAction>({
    approve: 'payoutApprove, or payoutDecide with approved.',
    reject: 'payoutReject, or payoutDecide with rejected.',
    cancel: 'payoutCancel.',
  }),
});

const WaitReasonEnum = builder.enumType('PayoutWaitReason', {
  description: 'What a payout can wait for.',
  values: describedValues<WaitReason>({
    decision: 'In pending_approval: an approval or a rejection.',
    release: 'In compliance_hold: the release of the hold.',
    provider_configuration:
      'In approved: an operator has to configure a provider for the environment.',
  }),
});

builder.prismaObjectFields(Payout, (t) => ({
  permittedActions: t.field({
    type: [PayoutActionEnum],
    description:
      "Actions that the payout's state permits, whatever the caller's role. approve is left out for its creator when another person has to approve it.",
    resolve: async (payout, _args, context) => {
      const actions = permittedActions(payout.state as PayoutState, payout.liveAttemptId !== null);
      return actions.includes('approve') && (await needsAnotherApprover(context, payout))
        ? actions.filter((action) => action !== 'approve')
        : actions;
    },
  }),
  distinctApprover: t.exposeBoolean('distinctApprover', {
    description:
      'Whether another person than the creator must approve it. It was created while the business demanded that.',
  }),
  waitsFor: t.field({
    type: WaitReasonEnum,
    nullable: true,
    description:
      'What the payout waits for; null while it moves on by itself or when it has ended.',
    resolve: (payout, _args, context) => waitsFor(context.call, payout),
  }),
}));
