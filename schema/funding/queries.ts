import { requirePermission } from '../../src/access/scope.ts';
import { readBooks, type Books } from '../../src/domain/ledger/books.ts';
import { listOf, of } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { LedgerBalance, LedgerModeEnum } from '../ledger/type.ts';
import { FundingAccount } from './type.ts';

const BooksType = builder.objectRef<Books>('Books').implement({
  description: 'The mode of a tenant, and its balance in each currency that there was an entry in.',
  fields: (t) =>
    shown(t, {
      mode: of(LedgerModeEnum, 'Whether an approval of more than is available is refused.'),
      balances: listOf(LedgerBalance, 'A line for each currency, by its code.'),
    }),
});

builder.queryField('books', (t) =>
  t.field({
    type: BooksType,
    description:
      'What the books of the tenant say, also where no funding account is provisioned (docs/ledger.md).',
    resolve: (_root, _args, context) => {
      const { scope, services } = context.call;
      requirePermission(scope, 'read');
      return readBooks(services.pool, scope);
    },
  }),
);

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
