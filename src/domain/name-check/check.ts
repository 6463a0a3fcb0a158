import type { BankAccount, Beneficiary } from '../../../generated/prisma/client.ts';
import { named } from '../../db/named.ts';
import { inTransaction, rows } from '../../db/pool.ts';
import { nameCheckResultOf } from '../../providers/name-check.ts';
import {
  ProviderError,
  takesFiles,
  type NameCheckAnswer,
  type PaidAccount,
  type ProviderPort,
} from '../../providers/port.ts';
import type { Call } from '../../process/services.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { newId } from '../../values/ids.ts';
import { openDestinations } from '../bank-account/details.ts';
import { findBankAccount } from '../bank-account/store.ts';
import { payeeOf } from '../beneficiary/payee.ts';
import { findBeneficiary } from '../beneficiary/store.ts';
import { wayTo } from '../route/ways.ts';
import { recordNameCheck } from './commands.gen.ts';
import { sealNameOnFile, type CheckedVersion } from './store.ts';

/** Seconds until a bank that gave no answer is asked again. After the last time its answer is that it has none. */
const pauses = [5, 30, 120, 300, 300];

/** What is recorded where nobody answered. */
const noAnswer = { code: 'NO_ANSWER', nameOnFile: null };

interface Asked {
  readonly account: PaidAccount;
  readonly provider: ProviderPort;
}

type CanBeAsked = ProviderPort & Required<Pick<ProviderPort, 'checkName'>>;

const canBeAsked = (port: ProviderPort | null): port is CanBeAsked => port?.checkName !== undefined;

/** Who can be asked for an account: the provider that pays there, else that of the environment. Null for nobody. */
async function sourceFor(call: Call, account: BankAccount): Promise<CanBeAsked | null> {
  const { services, scope } = call;
  const way = await wayTo(call, services.pool, account);
  if (way.kind === 'rail' && !takesFiles(way.rail) && canBeAsked(way.rail)) return way.rail;
  const usual = services.providers.forEnvironment(scope.environment);
  return canBeAsked(usual) ? usual : null;
}

/** Whom to ask for what; null where nobody can be asked, or there is nobody to ask for any more. */
async function askedOf(
  call: Call,
  account: BankAccount,
  owner: Beneficiary,
): Promise<Asked | null> {
  const provider = await sourceFor(call, account);
  if (provider === null) return null;
  const { id: bankAccountId, version } = account;
  const [found] = await openDestinations(call, call.services.pool, [{ bankAccountId, version }]);
  if (found === undefined || found === null) return null;
  return { provider, account: { payee: payeeOf(call, owner), destination: found.destination } };
}

const leave = named(
  'leave_name_check',
  ['tenant', 'account', 'version'],
  `
    UPDATE bank_account a SET name_check = NULL, updated_at = now()
    WHERE a.tenant_id = @tenant AND a.id = @account AND a.version = @version AND a.name_check = 'pending'`,
);

async function record(
  call: Call,
  { bankAccountId: account, version }: CheckedVersion,
  source: string,
  { code, nameOnFile }: NameCheckAnswer,
): Promise<void> {
  const id = newId('nameCheck');
  const result = nameCheckResultOf(code);
  await recordNameCheck(call.services.pool, call.scope.tenantId, {
    account,
    version,
    id,
    result,
    source,
    code,
    name: sealNameOnFile(call, id, result === 'close_match' ? nameOnFile : null),
    attempt: null,
  });
}

/** The bank is asked again after a while. */
async function askAgain(call: Call, of: CheckedVersion, tries: number): Promise<void> {
  const payload = { tenantId: call.scope.tenantId, ...of, tries: tries + 1 };
  await inTransaction(call.services.pool, (client) =>
    enqueue(client, 'check_name', payload, {
      jobKey: jobKeyOf('check_name', payload),
      waitMs: (pauses[tries] ?? 0) * 1_000,
    }),
  );
}

/**
 * Asks the bank of an account whether its holder has the name that was given, and records the answer on the version that
 * it was asked about. As a job: it may die anywhere and run again, since a question changes nothing at the bank and an
 * answer counts once. Where nobody can be asked, the account waits for no answer any more. A bank that gives none is
 * asked again for some minutes; then the name could not be checked.
 *
 * @param tries how often it gave no answer before
 */
export async function checkNameOf(call: Call, of: CheckedVersion, tries: number): Promise<void> {
  const { services, scope } = call;
  const account = await findBankAccount(services.pool, scope, of.bankAccountId);
  if (account?.version !== of.version || account.nameCheck !== 'pending') return;
  const owner = await findBeneficiary(call, account.beneficiaryId);
  if (owner === null || owner.erasedAt !== null) return;
  const asked = await askedOf(call, account, owner);
  if (asked === null) {
    const { bankAccountId, version } = of;
    const values = leave.of({ tenant: scope.tenantId, account: bankAccountId, version });
    await rows(services.pool, leave, values);
    return;
  }
  const { provider } = asked;
  try {
    const answer = (await provider.checkName?.(asked.account)) ?? noAnswer;
    await record(call, of, provider.name, answer);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const isFinal = error.verdict === 'rejected' || tries >= pauses.length;
    if (isFinal) await record(call, of, provider.name, noAnswer);
    else await askAgain(call, of, tries);
  }
}
