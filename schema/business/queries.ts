import { requirePermission, type MemberActor, type Scope } from '../../src/access/scope.ts';
import { nameOfOperator } from '../../src/domain/operator/find-businesses.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { OperatorCall } from '../../src/process/services.ts';
import { id } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { EnvironmentEnum, RoleEnum } from './enums.ts';
import { BusinessProfile } from './type.ts';

/** Who holds a key or is signed in: the member of a business, or an operator. */
interface CredentialHolder {
  /** Null for a session. */
  readonly keyId: string | null;
  /** Null for a key. */
  readonly sessionId: string | null;
  /** Null for an operator, who belongs to no business. */
  readonly member: (Pick<Scope, 'businessId' | 'environment'> & MemberActor) | null;
  /** Null for a member. */
  readonly operator: OperatorCall | null;
}

const Me = builder.objectRef<CredentialHolder>('Me').implement({
  description:
    'Whom the API key or the session of this request stands for: the member of a business, or an operator of the platform.',
  fields: (t) =>
    shown(t, {
      keyId: id.orNull('Id of the key itself; null for who is signed in.'),
      sessionId: id.orNull('Id of the session; null for a key.'),
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
        description:
          "The operator's name, as the key or the user was made for it; null for a member.",
        resolve: ({ operator }) => (operator === null ? null : nameOfOperator(operator)),
      }),
    }),
});

builder.queryFields((t) => ({
  me: t.field({
    type: Me,
    description:
      'Whom the API key or the session of this request stands for. Throws unauthorized without a valid one.',
    resolve: (_root, _args, context) => {
      if (context.operator !== null) {
        const { operator, sessionId } = context.operator;
        const keyId = 'key_id' in operator ? operator.key_id : null;
        return { keyId, sessionId, member: null, operator: context.operatorCall };
      }
      const { businessId, environment, actor } = context.call.scope;
      if (actor.type !== 'member') throw new DomainError('forbidden');
      const member = { businessId, environment, ...actor };
      const keyId = 'key_id' in actor ? actor.key_id : null;
      const sessionId = 'session_id' in actor ? actor.session_id : null;
      return { keyId, sessionId, member, operator: null };
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
