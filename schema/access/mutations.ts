import {
  acceptInvitation,
  joinByInvitation,
  type AcceptedInvitation,
  type JoinedMember,
} from '../../src/domain/access/accept-invitation.ts';
import { removeMember } from '../../src/domain/access/change-member.ts';
import { createKey, type CreatedKey } from '../../src/domain/access/create-key.ts';
import {
  changeMemberRole,
  inviteUnderPolicy,
} from '../../src/domain/approval-policy/role-changes.ts';
import { confirmApiKey, revokeApiKey } from '../../src/domain/access/revoke-key.ts';
import { sendMemberInvitation } from '../../src/domain/access/send-invitation.ts';
import { updateSettings } from '../../src/domain/access/settings.ts';
import { id, of, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { EnvironmentEnum, RoleEnum } from '../business/enums.ts';
import { IssuedApiKey } from '../business/mutations.ts';
import { BusinessProfile } from '../business/type.ts';
import { ApiKey, Member } from './type.ts';

const ApiKeyCreateInput = builder.inputType('ApiKeyCreateInput', {
  description: 'A key to be made.',
  fields: (t) => ({
    role: t.field({
      type: RoleEnum,
      required: true,
      description:
        "What the key may do. It may not exceed the rights of the caller's key or of its member.",
    }),
    environment: t.field({
      type: EnvironmentEnum,
      description:
        "Must be the environment of the caller's key. The first production key is issued by an operator.",
    }),
    membershipId: t.id({
      description:
        "Must be the caller's own membership. memberInvitationSend lets other members make a key of their own.",
    }),
    name: t.string({ description: 'What it is for, up to 100 characters.' }),
  }),
});

const ApiKeyCreatePayload = builder.objectRef<CreatedKey>('ApiKeyCreatePayload').implement({
  description: 'Answer to apiKeyCreate.',
  fields: (t) =>
    shown(t, {
      apiKey: of(ApiKey, 'The new key, without its secret text.'),
      key: text('The secret text of the key. It is shown only here.'),
    }),
});

const MemberAcceptPayload = builder.objectRef<AcceptedInvitation>('MemberAcceptPayload').implement({
  description: 'Answer to memberAccept.',
  fields: (t) =>
    shown(t, {
      membershipId: t.id({
        description: 'Membership that the key belongs to.',
        resolve: ({ member }) => member.id,
      }),
      apiKey: of(IssuedApiKey, 'A key of the member, shown only here.'),
    }),
});

const MemberJoinPayload = builder.objectRef<JoinedMember>('MemberJoinPayload').implement({
  description: 'Answer to memberJoin.',
  fields: (t) =>
    shown(t, {
      membershipId: id('The membership.'),
      userId: id('The user of that membership.'),
    }),
});

builder.mutationFields((t) => ({
  apiKeyCreate: t.field({
    nullable: true,
    type: ApiKeyCreatePayload,
    description: "Makes an API key of the caller's environment. Repeating it makes another one.",
    args: { input: t.arg({ type: ApiKeyCreateInput, required: true, description: 'The key.' }) },
    resolve: (_root, { input }, context) => createKey(context.call, input),
  }),
  apiKeyRevoke: t.field({
    nullable: true,
    type: ApiKey,
    description:
      'Revokes an API key: it stops working within a second. Repeating it changes nothing.',
    args: { id: t.arg.id({ required: true, description: 'Id of the key.' }) },
    resolve: (_root, { id }, context) => revokeApiKey(context.call, id),
  }),
  apiKeyConfirm: t.field({
    nullable: true,
    type: ApiKey,
    description:
      'Confirms an API key that was made before the address of the registration was proven, so that it works again. Of a key that works nothing changes; conflict for one that was revoked.',
    args: { id: t.arg.id({ required: true, description: 'Id of the key.' }) },
    resolve: (_root, { id }, context) => confirmApiKey(context.call, id),
  }),
  memberInvite: t.field({
    nullable: true,
    type: Member,
    description:
      'Invites the person with this address: a mail brings them a one-time link, with which memberAccept gives them a key of their own. Until they accept they can do nothing. While the approval policy holds, conflict for a role that decides on payouts. Once the business has a production key, only a production key may.',
    args: {
      email: t.arg.string({ required: true, description: 'E-mail address of the person.' }),
      role: t.arg({ type: RoleEnum, required: true, description: "At most the caller's own." }),
    },
    resolve: (_root, args, context) => inviteUnderPolicy(context.call, args),
  }),
  memberInvitationSend: t.field({
    nullable: true,
    type: Member,
    description:
      "Mails a member a one-time link by which they get a key of their own, with their role, in the environment of the caller's key. It replaces an earlier link; a member who has accepted gets a further key. One link a minute for each member.",
    args: { id: t.arg.id({ required: true, description: 'Id of the membership.' }) },
    resolve: (_root, { id }, context) => sendMemberInvitation(context.call, id),
  }),
  memberAccept: t.field({
    nullable: true,
    type: MemberAcceptPayload,
    description:
      'Accepts an invitation with the token of its mail, which uses it up, and answers with an API key of the invited person. The token is the credential: no API key is needed. not_found for an unknown token; conflict for one that was used, replaced or canceled, or whose time is over; too_many_requests beyond the limit of a client address.',
    args: {
      token: t.arg.string({ required: true, description: 'The token of the mail.' }),
    },
    resolve: (_root, { token }, { services, clientAddress, reportLimit }) =>
      acceptInvitation({ services, clientAddress, reportLimit }, token),
  }),
  memberJoin: t.field({
    nullable: true,
    type: MemberJoinPayload,
    description:
      'Accepts an invitation with the token of its mail, which uses it up, and makes no API key: for who signs in to the console. Throws as memberAccept.',
    args: {
      token: t.arg.string({ required: true, description: 'The token of the mail.' }),
    },
    resolve: (_root, { token }, { services, clientAddress, reportLimit }) =>
      joinByInvitation({ services, clientAddress, reportLimit }, token),
  }),
  memberRoleChange: t.field({
    nullable: true,
    type: Member,
    description:
      'Gives a member another role and revokes those of their keys that have more rights than it. Where the approval policy would be easier to fulfil with it, the member keeps their role until a second person confirms the change (approvalPolicy { roleProposals }). Once the business has a production key, only a production key may.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the membership.' }),
      role: t.arg({ type: RoleEnum, required: true, description: "At most the caller's own." }),
    },
    resolve: (_root, args, context) => changeMemberRole(context.call, args),
  }),
  memberRemove: t.field({
    nullable: true,
    type: Member,
    description:
      'Removes a member and revokes their keys of both environments. Repeating it changes nothing. Once the business has a production key, only a production key may.',
    args: { id: t.arg.id({ required: true, description: 'Id of the membership.' }) },
    resolve: (_root, { id }, context) => removeMember(context.call, id),
  }),
  businessSettingsUpdate: t.field({
    nullable: true,
    type: BusinessProfile,
    description:
      'Changes the settings of the business, for both environments. Once the business has a production key, only a production key may.',
    args: {
      distinctApprover: t.arg.boolean({
        required: true,
        description:
          'Whether a payout must be approved by another person than its creator. A payout that is created while this is on stays bound to it.',
      }),
    },
    resolve: (_root, { distinctApprover }, context) =>
      updateSettings(context.call, distinctApprover),
  }),
}));
