import { readHistory } from '../../src/domain/beneficiary/history.ts';
import { Author, authorOf } from '../access/author.ts';
import { BankAccount } from '../bank-account/type.ts';
import { int, json, stored, text, texts, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { childrenBy, childrenCost } from '../lists/children.ts';
import { rowsByParent } from '../lists/rows.ts';
import { Beneficiary } from './type.ts';

const TransitionKindEnum = describedEnum(
  'BeneficiaryTransitionKind',
  "What happened to a beneficiary's details, to its compliance or to the collection of its identity.",
  {
    registered: 'It was registered.',
    updated: 'Details changed; fields names them.',
    acknowledged: 'The business attested that it verified the beneficiary.',
    reacknowledgment_required: 'Identity details changed, so it is to be acknowledged again.',
    suspended: 'An operator or a provider stopped all payouts.',
    reinstated: 'The suspension ended.',
    archived: 'It was archived.',
    invited: 'A link was sent that collects the identity.',
    invite_canceled: 'The link was withdrawn.',
    invite_expired: 'The link was not used in time.',
    details_submitted: 'The payee submitted the form.',
    erased: 'Its personal data was erased.',
  },
);

const BeneficiaryTransition = builder.prismaObject('BeneficiaryTransition', {
  description:
    "One change of a beneficiary's details, of its compliance or of the collection of its identity, and who made it.",
  fields: (t) =>
    shown(t, {
      seq: int('Number of the change, from 1.'),
      kind: stored(TransitionKindEnum, 'What happened.'),
      fromStatus: text('Status before the change; new for the registration.'),
      toStatus: text('Status after the change.'),
      actor: json(
        'A member, an operator, the system, a provider, or a payee by the id of the collection request whose link was used.',
      ),
      author: t.field({
        type: Author,
        nullable: true,
        description: 'The same with the names of today.',
        resolve: ({ actor }) => authorOf(actor),
      }),
      reason: text.orNull('Why, in words.'),
      fields: texts('What changed, by the names of the fields in REST; empty where nothing did.'),
      occurredAt: time('When it happened.'),
    }),
});

const historyOf = childrenBy(readHistory);

const accountsOf = rowsByParent(
  (prisma, ids) =>
    prisma.bankAccount.findMany({ where: { beneficiaryId: { in: ids } }, orderBy: { id: 'asc' } }),
  (account) => account.beneficiaryId,
);

builder.prismaObjectFields(Beneficiary, (t) => ({
  bankAccounts: t.field({
    type: [BankAccount],
    description: 'Bank accounts, oldest first.',
    resolve: ({ id }, _args, context) => accountsOf(context, id),
  }),
  history: t.field({
    type: [BeneficiaryTransition],
    description:
      'The latest 100 changes of the details, of compliance and of collection, oldest first.',
    args: { before: t.arg.int({ description: 'Only changes before the one with this number.' }) },
    complexity: childrenCost,
    resolve: ({ id }, { before }, context) => historyOf(context, { id, before: before ?? null }),
  }),
}));
