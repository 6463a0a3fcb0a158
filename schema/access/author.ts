import { readMembersById } from '../../src/domain/access/members-by-id.ts';
import type { Actor } from '../../src/access/scope.ts';
import { builder } from '../builder.ts';
import { describedEnum } from '../common/described-enum.ts';
import type { Context } from '../context.ts';
import { loadBy } from '../lists/loader.ts';
import { Member } from './type.ts';

/** Who did something, as it is recorded: an `Actor` of the time, as JSON. */
type Recorded = Readonly<Partial<Record<'type' | 'user_id' | 'membership_id' | 'name', string>>>;

export const memberOf = loadBy(readMembersById, (id) => id);

function isCaller({ call }: Context, { type, user_id: user }: Recorded): boolean {
  const { actor } = call.scope;
  return type === 'member' && actor.type === 'member' && actor.user_id === user;
}

const AuthorTypeEnum = describedEnum<Actor['type']>('AuthorType', 'Who can do something.', {
  member: 'A member of the business, with a key or a session.',
  operator: 'One who runs the platform.',
  payee: 'Whoever opened the link of a collection request.',
  invitee: "Whoever opened the link of a member's invitation.",
  system: 'The service itself.',
  provider: 'A payout provider.',
});

export const Author = builder.objectRef<Recorded>('Author').implement({
  description: 'Who did something, as it was recorded then, with the names of today.',
  fields: (t) => ({
    type: t.field({
      type: AuthorTypeEnum,
      description: 'Who, by kind.',
      resolve: ({ type }) => (type ?? 'system') as Actor['type'],
    }),
    you: t.boolean({
      description: 'Whether it was the person who asks, with whatever key or session.',
      resolve: (author, _args, context) => isCaller(context, author),
    }),
    member: t.field({
      type: Member,
      nullable: true,
      description: 'The member, also one who left since; null for anybody else.',
      resolve: ({ membership_id: id }, _args, context) =>
        id === undefined ? null : memberOf(context, id),
    }),
    name: t.string({
      nullable: true,
      description: 'Name of the provider or of the part of the system; null for a person.',
      resolve: ({ name }) => name ?? null,
    }),
  }),
});

/** An actor as a row holds it. */
export const authorOf = (actor: unknown): Recorded | null =>
  typeof actor === 'object' ? actor : null;
