import { BankAccount } from '../bank-account/type.ts';
import { builder } from '../builder.ts';
import { Beneficiary } from './type.ts';

const BeneficiaryTransition = builder.prismaObject('BeneficiaryTransition', {
  description: "One change of a beneficiary's compliance, with who made it.",
  fields: (t) => ({
    seq: t.exposeInt('seq', { description: 'Number of the change, from 1.' }),
    kind: t.exposeString('kind', {
      description:
        'registered, acknowledged, reacknowledgment_required, suspended, reinstated or archived.',
    }),
    fromStatus: t.exposeString('fromStatus', { description: 'Before; new for the registration.' }),
    toStatus: t.exposeString('toStatus', { description: 'After.' }),
    actor: t.expose('actor', { type: 'JSON', description: 'A member, the system or a provider.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why, in words.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When.' }),
  }),
});

builder.prismaObjectFields(Beneficiary, (t) => ({
  bankAccounts: t.relation('bankAccounts', {
    type: BankAccount,
    description: 'Bank accounts, oldest first.',
    query: { orderBy: { id: 'asc' } },
  }),
  history: t.relation('transitions', {
    type: BeneficiaryTransition,
    description: 'How the compliance came to its status, oldest first.',
    query: { orderBy: { seq: 'asc' } },
  }),
}));
