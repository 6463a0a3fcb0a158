import {
  operatorExamineContradiction,
  type Examined,
} from '../../src/domain/operator/examine-contradiction.ts';
import type { Finding } from '../../src/domain/operator/findings.ts';
import { id, int, of } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { evidenceArg, reasonArg, tenantArgs } from './args.ts';
import { describedEnum } from '../common/described-enum.ts';

const ContradictionFinding = describedEnum<Finding>(
  'ContradictionFinding',
  'What a person found when they examined a contradiction.',
  {
    as_recorded:
      'The payout shows what became of the money. It can be replaced as its state permits.',
    paid_otherwise: 'Money moved that the payout does not show. It is never replaced.',
  },
);

const OperatorContradiction = builder.objectRef<Examined>('OperatorContradiction').implement({
  description: 'A contradiction of a provider that a person has examined.',
  fields: (t) =>
    shown(t, {
      contradictionId: id('Id of the line of ops.contradictions.'),
      payoutId: id.orNull('The payout that it is about; null for one of an enrollment.'),
      finding: of(ContradictionFinding, 'What was found.'),
      actionId: id('Id of the line of ops.action_log that records it.'),
      leftOpen: int(
        'Other contradictions of the same attempt or enrollment that nobody has examined yet.',
      ),
    }),
});

builder.mutationFields((t) => ({
  operatorContradictionExamine: t.field({
    nullable: true,
    type: OperatorContradiction,
    description:
      'Operators only. Notes what a person found about a line of ops.contradictions; it moves no payout. Until then the payout is not replaced. Throws not_found, and conflict where it was examined before.',
    args: {
      ...tenantArgs(),
      contradictionId: t.arg.id({ required: true, description: 'The contradiction.' }),
      finding: t.arg({
        type: ContradictionFinding,
        required: true,
        description: 'What the examination found.',
      }),
      ...evidenceArg(),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorExamineContradiction(context.operatorCall, args),
  }),
}));
