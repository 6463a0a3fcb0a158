import { requirePermission } from '../../src/access/scope.ts';
import { builder } from '../builder.ts';
import { FundingAccount } from './type.ts';

builder.queryField('fundingAccount', (t) =>
  t.prismaField({
    type: FundingAccount,
    nullable: true,
    description: 'The funding account of the tenant; null until it is provisioned.',
    resolve: (query, _root, _args, context) => {
      const { scope } = context.call;
      requirePermission(scope, 'read');
      return context.prisma.fundingAccount.findUnique({
        ...query,
        where: { tenantId: scope.tenantId },
      });
    },
  }),
);
