import type { Business } from '../../generated/prisma/client.ts';
import type { Environment } from '../../src/access/scope.ts';
import { findBusinesses, type ListedBusiness } from '../../src/domain/operator/find-businesses.ts';
import type { ProfileStatus } from '../../src/domain/business/profile.ts';
import { id, listOf, of } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { EnvironmentEnum, ProfileStatusEnum } from '../business/enums.ts';
import { BusinessProfile } from '../business/type.ts';
import { forwardArgs } from '../lists/page-args.ts';
import { OperatorMember } from './mutations.ts';
import { operatorPage, operatorPageCost } from './page.ts';

interface ListedTenant {
  readonly id: string;
  readonly environment: Environment;
}

const OperatorTenant = builder.objectRef<ListedTenant>('OperatorTenant').implement({
  description: 'A business in one environment, as operators find it.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the tenant, as logs and ops show it.'),
      environment: of(EnvironmentEnum, 'Test or real money.'),
    }),
});

/** A type of its own: `Business` reads on through the tenant, which an operator is not in. */
const OperatorBusiness = builder.objectRef<ListedBusiness>('OperatorBusiness').implement({
  description: 'A business, with what the commands for operators have to name.',
  fields: (t) =>
    shown(t, {
      id: t.id({
        description: 'Id of the business: businessId of the commands.',
        resolve: ({ business }) => business.id,
      }),
      companyName: t.string({
        description: 'Name given at registration.',
        resolve: ({ business }) => business.companyName,
      }),
      emailDomain: t.string({
        nullable: true,
        description: 'Corporate e-mail domain that the business claimed; null for free mail.',
        resolve: ({ business }) => business.emailDomain,
      }),
      registrationProvenAt: t.field({
        type: 'DateTime',
        nullable: true,
        description:
          'When the mailbox of the registration was proven, and with it address, domain and registrant. Null: nothing is, and operatorProfileAccept is refused.',
        resolve: ({ business }) => business.registrationProvenAt,
      }),
      createdAt: t.field({
        type: 'DateTime',
        description: 'Time of registration.',
        resolve: ({ business }) => business.createdAt,
      }),
      profile: t.field({
        type: BusinessProfile,
        description: 'What the business says about itself; operatorProfileAccept accepts it.',
        resolve: ({ business }): Business => business,
      }),
      tenants: t.field({
        type: [OperatorTenant],
        complexity: { field: 1, multiplier: 2 },
        description: 'Its two tenants: sandbox, then production.',
        resolve: ({ tenants }) => [...tenants],
      }),
      members: listOf(
        OperatorMember,
        'Its members who have not been removed, the earliest 100. Name one in operatorProductionKeyIssue or operatorMemberInvitationSend.',
      ),
    }),
});

const OperatorBusinessConnection = connectionOf(
  OperatorBusiness,
  'OperatorBusinessConnection',
  'A page of businesses, those registered last first.',
);

builder.queryField('operatorBusinesses', (t) =>
  t.field({
    type: OperatorBusinessConnection,
    description:
      'Operators only. Businesses, those registered last first: all, those whose profile waits (profileStatus: submitted), or what find names.',
    args: {
      profileStatus: t.arg({
        type: ProfileStatusEnum,
        description: 'Only profiles of this status; submitted ones wait for operatorProfileAccept.',
      }),
      find: t.arg.string({
        description:
          'A part of the company name or legal name, ignoring case, or the whole id of a business or a tenant.',
      }),
      ...forwardArgs,
    },
    complexity: operatorPageCost,
    resolve: (_root, { profileStatus, find, first, after }, context) => {
      const filter: { profileStatus: ProfileStatus | null; find: string | null } = {
        profileStatus: profileStatus ?? null,
        find: find ?? null,
      };
      return operatorPage(context, {
        list: 'operatorBusinesses',
        filter,
        first,
        after,
        fetch: (call, position, take) => findBusinesses(call, { ...filter, after: position, take }),
        position: ({ business }) => business.id,
      });
    },
  }),
);
