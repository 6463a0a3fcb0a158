import { requirePermission, type MemberActor, type Scope } from '../../src/access/scope.ts';
import { nameOfOperator } from '../../src/domain/operator/find-businesses.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { OperatorCall } from '../../src/process/services.ts';
import { builder } from '../builder.ts';
import { EnvironmentEnum, RoleEnum } from './enums.ts';
import { BusinessProfile } from './type.ts';

/** A key's holder: the member of a business, or an operator. */
interface Holder {
  readonly keyId: string;
  /** Null for an operator, who belongs to no business. */
  readonly member: (Pick<Scope, 'businessId' | 'environment'> & MemberActor) | null;
  /** Null for a member. */
  readonly operator: OperatorCall | null;
}

const Me = builder.objectRef<Holder>('Me').implement({
  description:
    'Whom the API key of this request stands for: the member of a business, or an operator of the platform.',
  fields: (t) => ({
    keyId: t.exposeID('keyId', { description: 'Id of the key itself.' }),
    businessId: t.id({
      nullable: true,
      description: 'The business; null for an operator.',
      resolve: ({ member }) => member?.businessId ?? null,
    }),
    environment: t.field({
      type: EnvironmentEnum,
      nullable: true,
      description: "The key's environment; null for an operator, whose key is for both.",
      resolve: ({ member }) => member?.environment ?? null,
    }),
    role: t.field({
      type: RoleEnum,
      nullable: true,
      description:
        'What the key may do; null for an operator, whose queries and commands begin with operator.',
      resolve: ({ member }) => member?.role ?? null,
    }),
    membershipId: t.id({
      nullable: true,
      description: 'Membership that the key belongs to; null for an operator.',
      resolve: ({ member }) => member?.membership_id ?? null,
    }),
    userId: t.id({
      nullable: true,
      description: 'User of that membership; null for an operator.',
      resolve: ({ member }) => member?.user_id ?? null,
    }),
    operatorName: t.string({
      nullable: true,
      description: "The operator's name, as the key was made for it; null for a member.",
      resolve: ({ operator }) => (operator === null ? null : nameOfOperator(operator)),
    }),
  }),
});

builder.queryFields((t) => ({
  me: t.field({
    type: Me,
    description:
      'Whom the API key of this request stands for. Throws unauthorized without a valid key.',
    resolve: (_root, _args, context) => {
      if (context.operator !== null) {
        const { key_id: keyId } = context.operator.operator;
        return { keyId, member: null, operator: context.operatorCall };
      }
      const { businessId, environment, actor } = context.call.scope;
      if (actor.type !== 'member') throw new DomainError('forbidden');
      const member = { businessId, environment, ...actor };
      return { keyId: actor.key_id, member, operator: null };
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
