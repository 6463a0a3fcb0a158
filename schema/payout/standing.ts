import { payoutActions, type PayoutState } from '../../src/domain/payout/machine.ts';
import { permittedActions } from '../../src/domain/payout/permitted.ts';
import { waitReasons, waitsFor } from '../../src/domain/payout/waits-for.ts';
import { builder } from '../builder.ts';
import { needsAnotherApprover } from './demand.ts';
import { Payout } from './type.ts';

const PayoutActionEnum = builder.enumType('PayoutAction', {
  description: 'What a caller may ask of a payout.',
  values: payoutActions,
});

const WaitReasonEnum = builder.enumType('PayoutWaitReason', {
  description:
    'A decision (pending_approval), a release (compliance_hold), or a provider for the environment, which an operator configures (approved).',
  values: waitReasons,
});

builder.prismaObjectFields(Payout, (t) => ({
  permittedActions: t.field({
    type: [PayoutActionEnum],
    description:
      'What may be asked of the payout in its state, whoever asks; without approve for the person who created it, where somebody else has to approve it.',
    resolve: async (payout, _args, context) => {
      const actions = permittedActions(payout.state as PayoutState, payout.liveAttemptId !== null);
      return actions.includes('approve') && (await needsAnotherApprover(context, payout))
        ? actions.filter((action) => action !== 'approve')
        : actions;
    },
  }),
  distinctApprover: t.exposeBoolean('distinctApprover', {
    description:
      'Created while the business demanded that somebody else than its creator approves it; that stays so.',
  }),
  waitsFor: t.field({
    type: WaitReasonEnum,
    nullable: true,
    description: 'Whom the payout waits for; null where it is on its way or at its end.',
    resolve: (payout, _args, context) => waitsFor(context.call, payout),
  }),
}));
