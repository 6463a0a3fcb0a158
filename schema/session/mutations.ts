import { changeLanguage } from '../../src/domain/session/language.ts';
import { revokeMemberSessions } from '../../src/domain/session/member-sessions.ts';
import {
  revokeOtherSessions,
  revokeSession,
  switchSession,
} from '../../src/domain/session/sessions.ts';
import { setOwnName } from '../../src/domain/session/set-name.ts';
import { builder } from '../builder.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { CollectionLanguageEnum } from '../collection/language.ts';
import { signedIn } from './signed-in.ts';
import { Viewer } from './type.ts';

builder.mutationFields((t) => ({
  viewerNameSet: t.field({
    nullable: true,
    type: Viewer,
    description:
      'Sets the name of the person who is signed in, which colleagues see beside what they do. Throws validation_failed; forbidden for an API key and an operator.',
    args: {
      firstName: t.arg.string({ required: true, description: 'Given name, up to 100 characters.' }),
      lastName: t.arg.string({ required: true, description: 'Family name, up to 100 characters.' }),
    },
    resolve: async (_root, given, context) => {
      const { call } = signedIn(context);
      await setOwnName(call, given);
      return signedIn(context);
    },
  }),
  sessionSwitch: t.boolean({
    nullable: true,
    description:
      'Lets the session work in another environment or business, from the next request on and in every tab. True; throws unauthorized without a session, forbidden for an API key and for an environment that is not open to the person, not_found for a business of which they are no member.',
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      environment: t.arg({
        type: EnvironmentEnum,
        required: true,
        description: 'The environment.',
      }),
    },
    resolve: async (_root, to, context) => {
      await switchSession(signedIn(context).call, to);
      return true;
    },
  }),
  viewerLanguageChange: t.field({
    type: CollectionLanguageEnum,
    nullable: true,
    description:
      'Keeps the language in which the person reads the console, in every browser and business of theirs, and answers with it. Throws as viewer.',
    args: {
      language: t.arg({
        type: CollectionLanguageEnum,
        required: true,
        description: 'The language.',
      }),
    },
    resolve: (_root, { language }, context) => changeLanguage(signedIn(context).call, language),
  }),
  sessionRevoke: t.id({
    nullable: true,
    description:
      "Ends one of the person's sessions, which may be the one of this request, and answers with its id. Repeating it changes nothing. Throws not_found for a session of somebody else, else as sessionSwitch.",
    args: { id: t.arg.id({ required: true, description: 'Id of the session.' }) },
    resolve: (_root, { id }, context) => revokeSession(signedIn(context).call, id),
  }),
  otherSessionsRevoke: t.int({
    nullable: true,
    description:
      "Ends all of the person's sessions but the one of this request, in all their businesses and environments, and answers with their number. Their passkeys and API keys stay. Throws as viewer.",
    resolve: (_root, _args, context) => revokeOtherSessions(signedIn(context).call),
  }),
  memberSessionsRevoke: t.int({
    nullable: true,
    description:
      'Ends the sessions in which a member is at work for the business, in both environments, and answers with their number. The member can sign in again; memberRemove locks them out. Throws not_found, and forbidden where the role of the caller does not cover that of the member. Once the business has a production key, only production may.',
    args: { memberId: t.arg.id({ required: true, description: 'Id of the membership.' }) },
    resolve: (_root, { memberId }, context) => revokeMemberSessions(context.call, memberId),
  }),
}));
