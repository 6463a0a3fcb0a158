import { declineProposal, takeProposal } from '../../src/domain/bank-file/proposal.ts';
import { builder } from '../builder.ts';
import { BankAccountProposal } from './type.ts';

const idArg = () =>
  builder.args((t) => ({ id: t.id({ required: true, description: 'The proposal.' }) }));

builder.mutationFields((t) => ({
  bankAccountProposalTake: t.field({
    nullable: true,
    type: BankAccountProposal,
    description:
      'Takes what a bank says of an account: the corrected details become a new version of it, by the same rules as a change by hand. Throws not_found; conflict where it was decided, or the account was changed since the payment; BANK_ACCOUNT_VALIDATION_FAILED where the details are wrong too.',
    args: idArg(),
    resolve: (_root, { id }, context) => takeProposal(context.call, id),
  }),
  bankAccountProposalDecline: t.field({
    nullable: true,
    type: BankAccountProposal,
    description:
      'Declines what a bank says of an account, which stays as it is. Throws not_found, and conflict where it was decided.',
    args: idArg(),
    resolve: (_root, { id }, context) => declineProposal(context.call, id),
  }),
}));
