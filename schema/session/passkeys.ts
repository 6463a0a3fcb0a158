import { startAdding, type Adding } from '../../src/access/passkey/add.ts';
import {
  listPasskeys,
  removePasskey,
  type Passkey as StoredPasskey,
} from '../../src/access/passkey/store.ts';
import type { Person } from '../../src/access/session/open.ts';
import { vouchForPasskeys } from '../../src/domain/access/vouch-passkeys.ts';
import { addPasskey } from '../../src/domain/session/add-passkey.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { bool, id, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import type { Context } from '../context.ts';
import { signedIn } from './signed-in.ts';
import type { StoredViewer } from './type.ts';

const Passkey = builder.objectRef<StoredPasskey>('Passkey').implement({
  description: 'A passkey with which a person signs in.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the passkey.'),
      name: text('The name that its owner gave it.'),
      synced: bool('Whether it is copied to other devices of its owner.'),
      createdAt: time('When it was added.'),
      lastUsedAt: time.orNull('When somebody last signed in with it; null for never.'),
    }),
});

const ownerOf = ({ call: { person } }: StoredViewer): Person =>
  person.kind === 'member' ? { userId: person.userId } : { operatorUserId: person.operatorUserId };

async function adding(context: Context): Promise<Adding> {
  const viewer = signedIn(context);
  const { email } = await viewer.profile();
  const { sessionId } = viewer.call.person;
  return { services: context.services, person: ownerOf(viewer), sessionId, email };
}

builder.queryFields((t) => ({
  passkeys: t.field({
    nullable: true,
    type: [Passkey],
    description:
      "The person's passkeys, at most 20, those added first at the top. Throws as viewer.",
    resolve: (_root, _args, context) =>
      listPasskeys(context.services.pool, ownerOf(signedIn(context))),
  }),
}));

builder.mutationFields((t) => ({
  passkeyRegistrationOptions: t.field({
    type: 'JSON',
    nullable: true,
    description:
      'What the browser needs to make a passkey: PublicKeyCredentialCreationOptionsJSON of Web Authentication (https://www.w3.org/TR/webauthn-3/), for five minutes. Throws as viewer, forbidden also when the person signed in more than 15 minutes ago, conflict where they have 20 passkeys.',
    resolve: async (_root, _args, context) => startAdding(await adding(context)),
  }),
  passkeyRegister: t.field({
    type: Passkey,
    nullable: true,
    description:
      'Adds the passkey that the browser made. The person, and the owners and admins of the business where they are at work, are mailed; it signs approvals after a day, or once an owner vouches for it. Throws as passkeyRegistrationOptions, validation_failed, unprocessable_entity for what is no answer to the options of this session, conflict for a passkey that is there already.',
    args: {
      name: t.arg.string({ required: true, description: 'Its name, up to 60 characters.' }),
      response: t.arg({
        type: 'JSON',
        required: true,
        description: 'RegistrationResponseJSON of Web Authentication.',
      }),
    },
    resolve: async (_root, given, context) =>
      addPasskey(await adding(context), signedIn(context).call.person, given),
  }),
  memberPasskeysVouch: t.int({
    nullable: true,
    description:
      'Lets the passkeys that a member has added within a day sign approvals at once (payoutStepUpBegin), and answers with their number. For an owner, never for their own. Throws forbidden, not_found. Once the business has a production key, only production may.',
    args: { memberId: t.arg.id({ required: true, description: 'Id of the membership.' }) },
    resolve: (_root, { memberId }, { call }) => vouchForPasskeys(call, memberId),
  }),
  passkeyRemove: t.id({
    nullable: true,
    description:
      'Removes a passkey and answers with its id. A mailed link still signs its owner in. Throws as viewer, not_found for a passkey of somebody else and one that was removed.',
    args: { id: t.arg.id({ required: true, description: 'Id of the passkey.' }) },
    resolve: async (_root, { id }, context) => {
      const owner = ownerOf(signedIn(context));
      if (await removePasskey(context.services.pool, owner, id)) return id;
      throw new DomainError('not_found', { message: 'The passkey does not exist.' });
    },
  }),
}));
