import { readMembersById } from '../../src/domain/access/members-by-id.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { loadBy } from '../lists/loader.ts';
import { Member } from './type.ts';

/** Who did something, as it is recorded: an `Actor` of the time, as JSON. */
type Recorded = Readonly<Partial<Record<'type' | 'user_id' | 'membership_id' | 'name', string>>>;

const memberOf = loadBy(readMembersById, (id) => id);

function isCaller({ call }: Context, { type, user_id: user }: Recorded): boolean {
  const { actor } = call.scope;
  return type === 'member' && actor.type === 'member' && actor.user_id === user;
}

export const Author = builder.objectRef<Recorded>('Author').implement({
  description: 'Who did something, as it was recorded then, with the names of today.',
  fields: (t) => ({
    type: t.string({
      description: 'member, operator, system, provider or payee.',
      resolve: ({ type }) => type ?? 'system',
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
