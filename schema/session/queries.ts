import { listMemberSessions } from '../../src/domain/session/member-sessions.ts';
import { listSessions } from '../../src/domain/session/sessions.ts';
import { builder } from '../builder.ts';
import { signedIn } from './signed-in.ts';
import { Session, Viewer } from './type.ts';

builder.queryFields((t) => ({
  viewer: t.field({
    nullable: true,
    type: Viewer,
    description:
      'The person who is signed in. Throws unauthorized without a session, forbidden for an API key, for which there is me.',
    resolve: (_root, _args, context) => signedIn(context),
  }),
  sessions: t.field({
    nullable: true,
    type: [Session],
    description:
      "The person's sessions that have not ended, in all their businesses, newest first, at most 100. Throws as viewer.",
    resolve: (_root, _args, context) => listSessions(signedIn(context).call),
  }),
  memberSessions: t.field({
    nullable: true,
    type: [Session],
    description:
      "The sessions in which a member is at work for the caller's business, newest first, at most 100; none for a member of another business. Throws forbidden without the permission access:write.",
    args: { memberId: t.arg.id({ required: true, description: 'Id of the membership.' }) },
    resolve: (_root, { memberId }, context) => listMemberSessions(context.call, memberId),
  }),
}));
