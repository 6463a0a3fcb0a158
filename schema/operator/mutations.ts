import type { Beneficiary, FundingAccount } from '../../generated/prisma/client.ts';
import { acceptProfile } from '../../src/domain/operator/accept-profile.ts';
import { declineProfile } from '../../src/domain/operator/decline-profile.ts';
import { operatorReinstate, operatorSuspend } from '../../src/domain/operator/hold-beneficiary.ts';
import { issueProductionKey } from '../../src/domain/operator/issue-production-key.ts';
import { reportBalance } from '../../src/domain/operator/report-balance.ts';
import { operatorSendMemberInvitation } from '../../src/domain/operator/send-member-invitation.ts';
import type { Member } from '../../src/domain/access/member-store.ts';
import { ComplianceStatusEnum } from '../beneficiary/enums.ts';
import { id, minorUnitsTotal, of, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { businessArg, optionalReasonArg, reasonArg, tenantArgs } from './args.ts';
import { RoleEnum } from '../business/enums.ts';
import { IssuedApiKey } from '../business/mutations.ts';
import { Business } from '../business/type.ts';

/** Types of their own: those of a business read on through the tenant, which an operator is not in. */
const OperatorFundingAccount = builder
  .objectRef<FundingAccount>('OperatorFundingAccount')
  .implement({
    description: "A business's production account, as an operator reported it.",
    fields: (t) =>
      shown(t, {
        id: id('Id of the account.'),
        currency: text('ISO 4217 code.'),
        availableBalanceMinor: minorUnitsTotal('Reported balance in minor units of currency.'),
        asOf: time('When the balance was reported.'),
      }),
  });

export const OperatorMember = builder
  .objectRef<Pick<Member, 'id' | 'role' | 'acceptedAt'>>('OperatorMember')
  .implement({
    description:
      'A member of a business, without name and e-mail address, which operators do not see.',
    fields: (t) =>
      shown(t, {
        id: id('Id of the membership.'),
        role: of(RoleEnum, 'What the member may do.'),
        acceptedAt: time.orNull('When the person accepted; null until then.'),
      }),
  });

const OperatorBeneficiary = builder.objectRef<Beneficiary>('OperatorBeneficiary').implement({
  description: 'A beneficiary after an operator acted on it.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the beneficiary.'),
      complianceStatus: stored(
        ComplianceStatusEnum,
        'suspended; after a reinstatement, the status before the suspension.',
      ),
    }),
});

builder.mutationFields((t) => ({
  operatorProfileAccept: t.field({
    nullable: true,
    type: Business,
    description:
      'Operators only. Accepts a submitted business profile; of an accepted one it changes nothing. Throws not_found; conflict for an incomplete one, and where another was submitted since submittedAt.',
    args: {
      ...businessArg(),
      submittedAt: t.arg({
        type: 'DateTime',
        description:
          'profileSubmittedAt of the profile that was looked at, so that no other is accepted; whichever waits where absent.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => acceptProfile(context.operatorCall, args),
  }),
  operatorProductionKeyIssue: t.field({
    nullable: true,
    type: IssuedApiKey,
    description:
      'Operators only. Issues a production key of a business whose profile is accepted, to the member who registered it; others get theirs by operatorMemberInvitationSend. Repeating it issues another one. The owners and admins are mailed. Null where it waits for a second operator: operatorProposedChanges.',
    args: {
      ...businessArg(),
      membershipId: t.arg.id({ required: true, description: 'Membership that it belongs to.' }),
      role: t.arg({ type: RoleEnum, required: true, description: "At most the member's own." }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => issueProductionKey(context.operatorCall, args),
  }),
  operatorMemberInvitationSend: t.field({
    nullable: true,
    type: OperatorMember,
    description:
      'Operators only. Mails a member of a business whose profile is accepted a one-time link, by which they get a production key of their own. One a minute for each member. The owners and admins are mailed. Null where it waits for a second operator: operatorProposedChanges.',
    args: {
      ...businessArg(),
      membershipId: t.arg.id({ required: true, description: 'Membership of the member.' }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorSendMemberInvitation(context.operatorCall, args),
  }),
  operatorBalanceReport: t.field({
    nullable: true,
    type: OperatorFundingAccount,
    description:
      "Operators only. Reports the balance of a business's production account; the first report opens it. The difference to the posted funds is booked in the ledger.",
    args: {
      ...businessArg(),
      currency: t.arg.string({ required: true, description: "ISO 4217; the account's currency." }),
      availableBalanceMinor: t.arg({
        type: 'MinorUnits',
        required: true,
        description: 'Minor units of currency, 0 to 999,999,999,999.',
      }),
      source: t.arg.string({
        description:
          'What it is known from, up to 200 characters. A report with the same source counts once; with another balance it is a conflict.',
      }),
      ...optionalReasonArg(),
    },
    resolve: (_root, args, context) => reportBalance(context.operatorCall, args),
  }),
  operatorBeneficiarySuspend: t.field({
    nullable: true,
    type: OperatorBeneficiary,
    description: 'Operators only. Suspends a beneficiary until an operator reinstates it.',
    args: {
      ...tenantArgs(),
      beneficiaryId: t.arg.id({ required: true, description: 'The beneficiary.' }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorSuspend(context.operatorCall, args),
  }),
  operatorBeneficiaryReinstate: t.field({
    nullable: true,
    type: OperatorBeneficiary,
    description:
      'Operators only. Lifts a suspension, whoever made it; the beneficiary gets back its earlier status.',
    args: {
      ...tenantArgs(),
      beneficiaryId: t.arg.id({ required: true, description: 'The beneficiary.' }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorReinstate(context.operatorCall, args),
  }),
}));

builder.mutationField('operatorProfileDecline', (t) =>
  t.field({
    nullable: true,
    type: Business,
    description:
      'Operators only. Does not accept a submitted business profile: it is incomplete again, and the business reads the explanation until it submits another. Throws validation_failed; not_found; conflict where it is not submitted, and where another was submitted since submittedAt.',
    args: {
      ...businessArg(),
      submittedAt: t.arg({
        type: 'DateTime',
        description:
          'profileSubmittedAt of the profile that was looked at, so that no other is declined; whichever waits where absent.',
      }),
      explanation: t.arg.string({
        required: true,
        description: 'What is missing or wrong, which the business reads; up to 1,000 characters.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => declineProfile(context.operatorCall, args),
  }),
);
