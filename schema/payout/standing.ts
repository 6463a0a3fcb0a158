import { waitReasons, waitsFor } from '../../src/domain/payout/waits-for.ts';
import { builder } from '../builder.ts';
import { Payout } from './type.ts';

const WaitReasonEnum = builder.enumType('PayoutWaitReason', {
  description:
    'A decision (pending_approval), a release (compliance_hold), or a provider for the environment, which an operator configures (approved).',
  values: waitReasons,
});

builder.prismaObjectFields(Payout, (t) => ({
  waitsFor: t.field({
    type: WaitReasonEnum,
    nullable: true,
    description: 'Whom the payout waits for; null where it is on its way or at its end.',
    resolve: (payout, _args, context) => waitsFor(context.call, payout),
  }),
}));
