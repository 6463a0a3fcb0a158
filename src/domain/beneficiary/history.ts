import { Prisma, type BeneficiaryTransition } from '../../../generated/prisma/client.ts';
import { childrenReader } from '../children.ts';

/** The changes of some beneficiaries' compliance and collection. */
export const readHistory = childrenReader<BeneficiaryTransition>({
  name: 'history_of_beneficiaries',
  table: 'beneficiary_transition',
  fields: Prisma.BeneficiaryTransitionScalarFieldEnum,
  parent: 'beneficiary_id',
  number: 'seq',
});
