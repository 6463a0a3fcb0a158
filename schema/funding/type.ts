import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';
import { EnvironmentEnum } from '../business/enums.ts';

const FundingAccountStatusEnum = builder.enumType('FundingAccountStatus', {
  description: 'Whether payouts can be funded from the account.',
  values: describedValues<'active' | 'closed'>({
    active: 'The account is in use.',
    closed: 'The account is closed.',
  }),
});

export const FundingAccount = builder.prismaNode('FundingAccount', {
  description: 'The account that payouts are funded from. Its balance is a reported figure.',
  id: { resolve: (account) => account.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) => ({
    environment: t.field({
      type: EnvironmentEnum,
      description: 'sandbox (test money) or production.',
      resolve: (_account, _args, context) => context.call.scope.environment,
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    status: t.field({
      type: FundingAccountStatusEnum,
      description: 'Whether payouts can be funded from the account.',
      // The column's CHECK constraint holds these values.
      resolve: (account) => account.status as 'active' | 'closed',
    }),
    availableBalanceMinor: t.expose('availableBalanceMinor', {
      type: 'MinorUnits',
      description: 'Reported balance in minor units of currency.',
    }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'When the balance was reported.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
  }),
});
