import type { FundingAccount as StoredAccount } from '../../generated/prisma/client.ts';
import { emptyBalance, readBooks, type Books } from '../../src/domain/ledger/books.ts';
import { stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { describedEnum } from '../common/described-enum.ts';
import type { Context } from '../context.ts';
import { LedgerBalance, LedgerModeEnum } from '../ledger/type.ts';

const FundingAccountStatusEnum = describedEnum<'active' | 'closed'>(
  'FundingAccountStatus',
  'Whether payouts can be funded from the account.',
  {
    active: 'The account is in use.',
    closed: 'The account is closed.',
  },
);

const read = new WeakMap<StoredAccount, Promise<Books>>();

/** The books beside an account, read once for all of its fields. */
function booksOf(context: Context, account: StoredAccount): Promise<Books> {
  const books = read.get(account) ?? readBooks(context.call.services.pool, context.call.scope);
  read.set(account, books);
  return books;
}

/** What the books say in the account's own currency. */
async function balanceOf(context: Context, account: StoredAccount) {
  const { balances } = await booksOf(context, account);
  return (
    balances.find(({ currency }) => currency === account.currency) ?? emptyBalance(account.currency)
  );
}

export const FundingAccount = builder.prismaNode('FundingAccount', {
  description:
    'The account that payouts are funded from, with the books of the tenant (docs/ledger.md).',
  id: { resolve: (account) => account.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      environment: t.field({
        type: EnvironmentEnum,
        description: 'sandbox (test money) or production.',
        resolve: (_account, _args, context) => context.call.scope.environment,
      }),
      currency: text('ISO 4217 code.'),
      status: stored(FundingAccountStatusEnum, 'Whether payouts can be funded from the account.'),
      mode: t.field({
        type: LedgerModeEnum,
        description: 'Whether availableBalanceMinor is reported, or what the books say.',
        resolve: async (account, _args, context) => (await booksOf(context, account)).mode,
      }),
      availableBalanceMinor: t.field({
        type: 'MinorUnitsTotal',
        description:
          'Minor units of currency: the balance that was last reported or, in the mode enforced, what the books say is available.',
        resolve: async (account, _args, context) => {
          const { mode } = await booksOf(context, account);
          return mode === 'enforced'
            ? (await balanceOf(context, account)).availableMinor
            : account.availableBalanceMinor;
        },
      }),
      postedMinor: t.field({
        type: 'MinorUnitsTotal',
        description: 'What the books have on the account funds, in minor units of currency.',
        resolve: async (account, _args, context) => (await balanceOf(context, account)).postedMinor,
      }),
      heldMinor: t.field({
        type: 'MinorUnitsTotal',
        description: 'What is reserved for approved payouts, in minor units of currency.',
        resolve: async (account, _args, context) => (await balanceOf(context, account)).heldMinor,
      }),
      inTransitMinor: t.field({
        type: 'MinorUnitsTotal',
        description: 'What the provider has and has not settled, in minor units of currency.',
        resolve: async (account, _args, context) =>
          (await balanceOf(context, account)).inTransitMinor,
      }),
      balances: t.field({
        type: [LedgerBalance],
        description:
          "What the books say in each currency that there was an entry in, and in the account's own.",
        resolve: async (account, _args, context) => {
          const { balances } = await booksOf(context, account);
          const own = balances.some(({ currency }) => currency === account.currency);
          return own ? balances : [emptyBalance(account.currency), ...balances];
        },
      }),
      asOf: time('When the balance was reported.'),
      createdAt: time('Time of creation.'),
    }),
});
