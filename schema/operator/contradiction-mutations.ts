import {
  operatorExamineContradiction,
  type Examined,
} from '../../src/domain/operator/examine-contradiction.ts';
import { findings } from '../../src/domain/operator/findings.ts';
import { builder } from '../builder.ts';
import { EnvironmentEnum } from '../business/enums.ts';

const ContradictionFinding = builder.enumType('ContradictionFinding', {
  description: 'What a person found about a contradiction of a provider.',
  values: findings,
});

const OperatorContradiction = builder.objectRef<Examined>('OperatorContradiction').implement({
  description: 'A contradiction of a provider that a person has examined.',
  fields: (t) => ({
    contradictionId: t.exposeID('contradictionId', {
      description: 'Line of ops.contradictions.',
    }),
    payoutId: t.exposeID('payoutId', {
      nullable: true,
      description: 'The payout that it is about; null for one of an enrollment.',
    }),
    finding: t.expose('finding', {
      type: ContradictionFinding,
      description: 'What was found.',
    }),
    actionId: t.exposeID('actionId', { description: 'Line of ops.action_log that holds it.' }),
    leftOpen: t.exposeInt('leftOpen', {
      description: 'How many others of the same attempt or enrollment still wait for a person.',
    }),
  }),
});

builder.mutationFields((t) => ({
  operatorContradictionExamine: t.field({
    nullable: true,
    type: OperatorContradiction,
    description:
      'Operators only. Notes what a person found about a line of ops.contradictions; it moves no payout. Until then the payout is not replaced. Throws not_found, and conflict where it was examined before.',
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      environment: t.arg({ type: EnvironmentEnum, required: true, description: 'Of the two.' }),
      contradictionId: t.arg.id({ required: true, description: 'The contradiction.' }),
      finding: t.arg({
        type: ContradictionFinding,
        required: true,
        description:
          'as_recorded: the payout shows what became of the money, and may be replaced as its state permits; paid_otherwise: money moved that it does not show, and it is never replaced.',
      }),
      evidence: t.arg.string({
        required: true,
        description: 'How it is known, for operators alone; up to 1,000 characters.',
      }),
      reason: t.arg.string({
        required: true,
        description: 'Why, for the record; up to 1,000 characters.',
      }),
    },
    resolve: (_root, args, context) => operatorExamineContradiction(context.operatorCall, args),
  }),
}));
