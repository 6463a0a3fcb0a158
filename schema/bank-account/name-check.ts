import type { BankAccount } from '../../generated/prisma/client.ts';
import {
  findNameCheckPolicy,
  type NameCheckPolicy,
} from '../../src/domain/name-check/policy-store.ts';
import { shownNameCheck, type ShownNameCheck } from '../../src/domain/name-check/shown.ts';
import { readLatestNameChecks } from '../../src/domain/name-check/store.ts';
import type { Context } from '../context.ts';
import { loadBy } from '../lists/loader.ts';

const latestOf = loadBy(
  readLatestNameChecks,
  ({ bankAccountId, version }) => `${bankAccountId} ${version}`,
);

const policies = new WeakMap<Context, Promise<NameCheckPolicy>>();

/** What the business decided, read once for an operation that shows many accounts. */
function policyOf(context: Context): Promise<NameCheckPolicy> {
  const { scope, services } = context.call;
  const known = policies.get(context) ?? findNameCheckPolicy(services.pool, scope);
  policies.set(context, known);
  return known;
}

/** What is shown of the check of an account's holder; null where its bank was not asked. */
export async function nameCheckOf(
  account: BankAccount,
  context: Context,
): Promise<ShownNameCheck | null> {
  if (account.nameCheck === null) return null;
  const key = { bankAccountId: account.id, version: account.version };
  const [policy, answer] = await Promise.all([policyOf(context), latestOf(context, key)]);
  return shownNameCheck(account, policy, answer);
}
