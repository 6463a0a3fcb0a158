import { permissions, type Permission } from '../../src/access/roles.ts';
import { isOperator, may, type Caller } from '../../src/access/scope.ts';
import type { SignedInCall } from '../../src/domain/session/caller.ts';
import {
  currentSession,
  type Session as StoredSession,
} from '../../src/domain/session/sessions.ts';
import { listPlaces, type Person, type PlaceOfPerson } from '../../src/domain/session/viewer.ts';
import type { SignedInBy } from '../../src/access/session/open.ts';
import { id, listOf, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { CollectionLanguageEnum } from '../collection/language.ts';
import { shown } from '../common/fields.ts';
import { EnvironmentEnum, RoleEnum } from '../business/enums.ts';
import { describedEnum } from '../common/described-enum.ts';

const SignedInByEnum = describedEnum<SignedInBy>(
  'SignedInBy',
  'How a person proved who they are.',
  {
    link: 'A link that was mailed to them.',
    invitation: 'The link of an invitation that was mailed to them.',
    passkey: 'A passkey of theirs.',
    oidc: "Their company's sign-in (OpenID Connect).",
  },
);

export const Session = builder.objectRef<StoredSession>('Session').implement({
  description: 'A browser in which a person is signed in.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the session.'),
      current: t.boolean({
        description: 'Whether it is the session of this request.',
        resolve: ({ id }, _args, { scope, operator }) =>
          (scope?.actor.type === 'member' &&
            'session_id' in scope.actor &&
            scope.actor.session_id === id) ||
          operator?.sessionId === id,
      }),
      businessId: t.id({
        nullable: true,
        description: 'The business in which it works; null for an operator.',
        resolve: ({ businessId }) => businessId,
      }),
      environment: of.orNull(
        EnvironmentEnum,
        'The environment in which it works; null for an operator.',
      ),
      signedInBy: of(SignedInByEnum, 'How its person signed in.'),
      userAgent: text.orNull('What the browser said of itself.'),
      network: text.orNull(
        'The network from which its person signed in: a /24 of IPv4 or a /64 of IPv6.',
      ),
      createdAt: time('When it began.'),
      lastSeenAt: time('When its person last asked for something, to the minute.'),
      idleAt: time('When it ends unless it is used before.'),
      expiresAt: time('When it ends, however busy it is.'),
    }),
});

const ViewerMembership = builder.objectRef<PlaceOfPerson>('ViewerMembership').implement({
  description: 'A business of which the person is a member.',
  fields: (t) =>
    shown(t, {
      id: t.exposeID('membershipId', { description: 'Id of the membership.' }),
      businessId: id('Id of the business.'),
      businessName: text('Its legal name, or the name with which it registered.'),
      role: of(RoleEnum, 'What the person may do there.'),
      environments: listOf(
        EnvironmentEnum,
        'The environments to which sessionSwitch leads. Production is there once the profile is accepted, the first key was issued, and the person registered the business or was invited in production.',
      ),
    }),
});

/** A person with the caller for which their session stands. */
export interface StoredViewer {
  readonly call: SignedInCall;
  readonly caller: Caller;
  /** Reads the person once, however many fields ask. */
  readonly profile: () => Promise<Person>;
}

const all = Object.keys(permissions) as Permission[];

export const Viewer = builder.objectRef<StoredViewer>('Viewer').implement({
  description: 'The person who is signed in, and for whom they act.',
  fields: (t) => ({
    id: t.id({
      description: 'Id of the user.',
      resolve: ({ call: { person } }) =>
        person.kind === 'member' ? person.userId : person.operatorUserId,
    }),
    email: t.string({
      description: 'Their e-mail address.',
      resolve: async ({ profile }) => (await profile()).email,
    }),
    name: t.string({
      nullable: true,
      description: 'Their name, where they gave one.',
      resolve: async ({ profile }) => {
        const { firstName, lastName, operatorName } = await profile();
        const parts = [firstName, lastName].filter((part) => part !== null);
        return operatorName ?? (parts.length === 0 ? null : parts.join(' '));
      },
    }),
    language: t.field({
      type: CollectionLanguageEnum,
      nullable: true,
      description: 'The language in which they read the console; null until they chose one.',
      resolve: async ({ profile }) => (await profile()).language,
    }),
    firstName: t.string({
      nullable: true,
      description: 'Given name; null where they gave none, and of an operator.',
      resolve: async ({ profile }) => (await profile()).firstName,
    }),
    lastName: t.string({
      nullable: true,
      description: 'Family name; null where they gave none, and of an operator.',
      resolve: async ({ profile }) => (await profile()).lastName,
    }),
    isOperator: t.boolean({
      description:
        'Whether they run the platform: they have the commands that begin with operator.',
      resolve: ({ caller }) => isOperator(caller),
    }),
    membershipId: t.id({
      nullable: true,
      description: 'The membership with which they act; null for an operator.',
      resolve: ({ call: { person } }) =>
        person.kind === 'member' ? person.actor.membership_id : null,
    }),
    businessId: t.id({
      nullable: true,
      description: 'The business for which they act; null for an operator.',
      resolve: ({ call: { person } }) =>
        person.kind === 'member' ? person.scope.businessId : null,
    }),
    environment: t.field({
      type: EnvironmentEnum,
      nullable: true,
      description: 'The environment in which they act; null for an operator.',
      resolve: ({ call: { person } }) =>
        person.kind === 'member' ? person.scope.environment : null,
    }),
    role: t.field({
      type: RoleEnum,
      nullable: true,
      description: 'What they may do; null for an operator.',
      resolve: ({ call: { person } }) => (person.kind === 'member' ? person.actor.role : null),
    }),
    permissions: t.stringList({
      description:
        'The rights of their role, as docs/interface.md lists them, for example `payouts:decide`; none of an operator.',
      resolve: ({ caller }) =>
        isOperator(caller) ? [] : all.filter((permission) => may(caller, permission)),
    }),
    actingFor: t.string({
      description:
        'For whom they act, as one text. A page sends it back in the header X-Payouts-Acting-For; after a switch in another tab its request is then refused with conflict instead of taking effect elsewhere.',
      resolve: ({ caller }) =>
        isOperator(caller) ? 'operator' : `${caller.businessId}/${caller.environment}`,
    }),
    memberships: t.field({
      type: [ViewerMembership],
      description:
        'The businesses of which they are a member and in which this session may work, at most 100; none of an operator. sessionSwitch leads there. A business that ended their sessions after this one began takes a new session only.',
      resolve: ({ call }) => listPlaces(call),
    }),
    session: t.field({
      type: Session,
      description: 'The session of this request.',
      resolve: ({ call }) => currentSession(call),
    }),
  }),
});
