import { requirePermission, type Scope } from '../../src/access/scope.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { builder } from '../builder.ts';
import { EnvironmentEnum, RoleEnum } from './enums.ts';
import { BusinessProfile } from './type.ts';

type Caller = Pick<Scope, 'businessId' | 'environment'> & {
  readonly member: Extract<Scope['actor'], { type: 'member' }>;
};

const Me = builder.objectRef<Caller>('Me').implement({
  description: 'Whom the API key of this request stands for.',
  fields: (t) => ({
    businessId: t.exposeID('businessId', { description: 'The business.' }),
    environment: t.expose('environment', {
      type: EnvironmentEnum,
      description: "The key's environment.",
    }),
    role: t.field({
      type: RoleEnum,
      description: 'What the key may do.',
      resolve: ({ member }) => member.role,
    }),
    membershipId: t.id({
      description: 'Membership that the key belongs to.',
      resolve: ({ member }) => member.membership_id,
    }),
    userId: t.id({
      description: 'User of that membership.',
      resolve: ({ member }) => member.user_id,
    }),
    keyId: t.id({
      description: 'Id of the key itself.',
      resolve: ({ member }) => member.key_id,
    }),
  }),
});

builder.queryFields((t) => ({
  me: t.field({
    type: Me,
    description: 'Whom the API key of this request stands for.',
    resolve: (_root, _args, context) => {
      const { businessId, environment, actor } = context.call.scope;
      if (actor.type !== 'member') throw new DomainError('forbidden');
      return { businessId, environment, member: actor };
    },
  }),
  businessProfile: t.prismaField({
    type: BusinessProfile,
    description: "The profile of the caller's business.",
    resolve: (query, _root, _args, context) => {
      const { scope } = context.call;
      requirePermission(scope, 'read');
      return context.prisma.business.findUniqueOrThrow({
        ...query,
        where: { id: scope.businessId },
      });
    },
  }),
}));
