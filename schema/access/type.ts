import type { AccessChangeKind } from '../../src/domain/access/change-store.ts';
import type { Member as StoredMember } from '../../src/domain/access/member-store.ts';
import type { AccessChange as StoredChange } from '../../generated/prisma/client.ts';
import { id, json, of, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { EnvironmentEnum, RoleEnum } from '../business/enums.ts';

export const ApiKey = builder.prismaNode('ApiKey', {
  description:
    "An API key. Only keys of the caller's environment are shown, and never the secret text.",
  id: { resolve: (key) => key.id },
  findUnique: (id) => ({ id }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      name: text.orNull('Name that was given to the key.'),
      environment: t.field({
        type: EnvironmentEnum,
        description: 'Environment that the key opens.',
        // A caller reads and makes keys of its own environment only.
        resolve: (_key, _args, context) => context.call.scope.environment,
      }),
      role: stored(RoleEnum, 'What the key may do.'),
      membershipId: id('Membership that it belongs to.'),
      createdByMembershipId: id.orNull(
        'Membership that made the key; null when the registration or an operator made it.',
      ),
      createdAt: time('Time of creation.'),
      lastUsedAt: time.orNull('When it was last used, to the minute; null if it never was.'),
      revokedAt: time.orNull('When it was revoked; null while it works.'),
      heldAt: time.orNull(
        'Since when it waits for apiKeyConfirm and does not work: it was made before the address of the registration was proven. Else null.',
      ),
    }),
});

export const Member = builder.objectRef<StoredMember>('Member').implement({
  description: "A person's place in the business, in both environments.",
  fields: (t) =>
    shown(t, {
      id: id('Id of the membership.'),
      me: t.boolean({
        description: 'Whether the API key of this request belongs to it.',
        resolve: (member, _args, context) => {
          const { actor } = context.call.scope;
          return actor.type === 'member' && actor.membership_id === member.id;
        },
      }),
      role: of(RoleEnum, 'What the member may do.'),
      email: text('E-mail address.'),
      firstName: text.orNull('Given name, where the person told it to this business.'),
      lastName: text.orNull('Family name, where the person told it to this business.'),
      createdAt: time('When the person was invited, or registered, for the first time.'),
      acceptedAt: time.orNull(
        'When the person accepted the invitation; null until then, and they can do nothing.',
      ),
      removedAt: time.orNull('When the person was removed; null for a member.'),
    }),
});

const AccessChangeKindEnum = describedEnum<AccessChangeKind>(
  'AccessChangeKind',
  'What changed about access, or about where money and secrets go.',
  {
    business_registered: 'The business registered.',
    settings_changed: 'A setting of the business changed.',
    member_invited: 'A member was invited.',
    member_invitation_sent: 'A member was sent a link to a key of their own.',
    member_accepted: 'An invited person accepted.',
    member_role_proposed:
      'A member proposed another role of one, which a second person has to confirm because of the approval policy.',
    member_role_changed: 'A member got another role.',
    member_removed: 'A member was removed.',
    member_sessions_revoked: 'A member was signed out of all their browsers.',
    key_created: 'An API key was made.',
    key_revoked: 'An API key was revoked.',
    key_confirmed:
      'A key that was made before the address of the business was proven was confirmed.',
    registration_proven: 'The holder of the mailbox proved the address of the registration.',
    registration_released:
      'The holder of the mailbox took the address or the domain over for another business.',
    bank_connected: 'An operator connected an account at a bank.',
    bank_connection_changed: 'A bank connection was changed in what decides where money goes.',
    routes_replaced: 'An operator replaced the routes: who pays what.',
    webhook_address_proposed:
      'A member asked for another address of the webhooks, which another owner or admin has to confirm.',
    webhook_address_changed: 'The webhooks got an address, or another one.',
    approval_policy_proposed:
      'A member proposed a version of the approval policy, which a second person has to confirm.',
    approval_policy_changed: 'A version of the approval policy was confirmed and holds.',
    approval_group_proposed:
      'A member proposed other members of a group that the approval policy names.',
    approval_group_changed: 'A group of approvers was made, or got another name or other members.',
    approval_delegated: 'A member let another one approve on their behalf for a time.',
    approval_delegation_ended: 'A delegation of approvals was ended before its time.',
    passkey_added: 'A member added a passkey.',
    passkey_locked: 'A passkey signs no approvals for a time, after five answers that were wrong.',
    passkey_vouched:
      'An owner let the new passkeys of a member sign approvals before their first day is over.',
  },
);

export const AccessChange = builder.objectRef<StoredChange>('AccessChange').implement({
  description:
    "A change of the business's settings, members, API keys, bank connections, routes, webhook address or approval policy. Those of settings, members and keys are of either environment, the others of the caller's. Nobody can edit it.",
  fields: (t) =>
    shown(t, {
      id: id('Id of the record.'),
      kind: stored(AccessChangeKindEnum, 'What was done.'),
      environment: stored(
        EnvironmentEnum,
        'Environment of the key that was made or revoked; for other changes, of the key that made the change.',
      ),
      subjectId: id(
        'The membership, the API key, the bank connection, the webhook subscription, the group of approvers, the proposal of a policy, the passkey or the business that changed.',
      ),
      actor: json(
        'Who did it: a member, an operator, or an invited person who accepted with the link of their e-mail.',
      ),
      before: json.orNull('The value before; null when the subject is new.'),
      after: json.orNull('The value afterwards; null when a key was revoked or a member removed.'),
      occurredAt: time('When it happened.'),
    }),
});
