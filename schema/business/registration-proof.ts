import {
  openRegistrationProof,
  proveMailbox,
  type ProofState,
  type ProvenBusiness,
  type RegistrationProof as OpenedProof,
} from '../../src/domain/business/registration-proof.ts';
import type {
  EarlierKey,
  EarlierMember,
  ProofKind,
} from '../../src/domain/business/registration-proof-store.ts';
import { id, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { RoleEnum } from './enums.ts';
import { IssuedApiKey } from './mutations.ts';

const ProofStateEnum = describedEnum<ProofState>(
  'RegistrationProofState',
  'Whether a link still proves something.',
  {
    live: 'It can be used.',
    used: 'It was used.',
    expired: 'Its time is over.',
    ended: 'The address was proven, or taken over, by another link or by signing in.',
  },
);

const ProofKindEnum = describedEnum<ProofKind>(
  'RegistrationProofKind',
  'Of which registration a link speaks.',
  {
    registered: 'Of the business that was registered with the address.',
    address: 'Of a registration that was refused: another one without a proof claims the address.',
    domain: 'Of a registration that was refused: another one without a proof claims the domain.',
  },
);

const EarlierKeyRef = builder.objectRef<EarlierKey>('RegistrationProofKey').implement({
  description: 'An API key that was made before the proof.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the key.'),
      name: text.orNull('Name that was given to it.'),
      role: of(RoleEnum, 'What it may do.'),
      createdAt: time('Time of creation.'),
      lastUsedAt: time.orNull('When it was last used, to the minute; null if it never was.'),
    }),
});

const EarlierMemberRef = builder.objectRef<EarlierMember>('RegistrationProofMember').implement({
  description: 'A member who accepted before the proof, other than who registered.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the membership.'),
      role: of(RoleEnum, 'What the member may do.'),
      email: text('E-mail address.'),
    }),
});

const RegistrationProof = builder.objectRef<OpenedProof>('RegistrationProof').implement({
  description: 'What the link of a registration would prove.',
  fields: (t) =>
    shown(t, {
      state: of(ProofStateEnum, 'Whether it can be used.'),
      kind: of(ProofKindEnum, 'Of which registration.'),
      email: text('The address, in the form in which addresses are compared.'),
      companyName: text.orNull(
        'The business that was registered with the address; null for a domain.',
      ),
      registeredAt: time.orNull('When that business was registered.'),
      askedCompanyName: text.orNull(
        'The business that the refused registration asked for; else null.',
      ),
      keys: t.field({
        type: [EarlierKeyRef],
        complexity: { field: 1, multiplier: 1 },
        description: 'Its API keys, the earliest 100; empty unless the state is live.',
        resolve: ({ keys }) => [...keys],
      }),
      members: t.field({
        type: [EarlierMemberRef],
        complexity: { field: 1, multiplier: 1 },
        description: 'Its other members, the earliest 100; empty unless the state is live.',
        resolve: ({ members }) => [...members],
      }),
    }),
});

const ProvePayload = builder.objectRef<ProvenBusiness>('RegistrationProvePayload').implement({
  description: 'Answer to registrationProve.',
  fields: (t) =>
    shown(t, {
      businessId: id('The business whose owner the caller is now.'),
      apiKey: of.orNull(
        IssuedApiKey,
        'A sandbox key of a business that was registered by this, shown only here; null where the business was there before.',
      ),
    }),
});

builder.queryField('registrationProof', (t) =>
  t.field({
    type: RegistrationProof,
    nullable: true,
    description:
      'What the link of a registration would prove. The token is the credential: no API key is needed. Looking uses nothing up. not_found for an unknown token; too_many_requests beyond the limit of a client address.',
    args: {
      token: t.arg.string({ required: true, description: 'The token of the mail.' }),
    },
    resolve: (_root, { token }, { services, clientAddress, reportLimit }) =>
      openRegistrationProof({ services, clientAddress, reportLimit }, token),
  }),
);

builder.mutationField('registrationProve', (t) =>
  t.field({
    type: ProvePayload,
    nullable: true,
    description:
      'Proves the mailbox of a registration with the token that was mailed to it, which uses the link up. Keys that are not named wait for apiKeyConfirm; other members who are not named have to accept again. not_found for an unknown token; conflict for one that was used or is too old, or whose address was proven meanwhile; EMAIL_ALREADY_REGISTERED and COMPANY_DOMAIN_ALREADY_CLAIMED where the claim is proven; too_many_requests beyond the limit of a client address.',
    args: {
      token: t.arg.string({ required: true, description: 'The token of the mail.' }),
      takeOver: t.arg.boolean({
        description:
          'Whether to make the refused registration, and to end the business that claims the address. That is always so for a domain.',
      }),
      keyIds: t.arg.idList({ description: 'Ids of the keys that go on working.' }),
      membershipIds: t.arg.idList({ description: 'Memberships of the members who stay.' }),
    },
    resolve: (_root, args, { services, clientAddress, reportLimit }) =>
      proveMailbox({ services, clientAddress, reportLimit }, args.token, {
        takeOver: args.takeOver ?? false,
        keyIds: (args.keyIds ?? []).map(String),
        membershipIds: (args.membershipIds ?? []).map(String),
      }),
  }),
);
