import { operatorErase } from '../../src/domain/operator/erase-beneficiary.ts';
import { BeneficiaryErasure, ErasureGroundEnum } from '../beneficiary/personal-data.ts';
import { builder } from '../builder.ts';
import { reasonArg, tenantArgs } from './args.ts';

builder.mutationFields((t) => ({
  operatorBeneficiaryErase: t.field({
    nullable: true,
    type: BeneficiaryErasure,
    description:
      'Operators only. Erases the personal data of a payee for good, as beneficiaryErase does. The reason must not name the payee.',
    args: {
      ...tenantArgs(),
      beneficiaryId: t.arg.id({ required: true, description: 'The beneficiary.' }),
      ground: t.arg({ type: ErasureGroundEnum, required: true, description: 'Why.' }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorErase(context.operatorCall, args),
  }),
}));
