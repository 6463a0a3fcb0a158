import type { LedgerEntry } from '../../../generated/prisma/client.ts';
import { deadlocked, lockedTooLong } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import type { OperatorCall } from '../../process/services.ts';
import { moneyProblem } from '../../values/money.ts';
import { newUlid } from '../../values/ulid.ts';
import { parseInput } from '../../values/validate.ts';
import { toBalance } from '../funding/balance.ts';
import { readBooks, type Books } from '../ledger/books.ts';
import { bookFunding, changeMode } from '../ledger/store.ts';
import { recordAction, requireTenant } from './action.ts';
import { inTenant } from './in-tenant.ts';
import {
  fundingModeOrder,
  fundingRecordOrder,
  type FundingModeOrder,
  type FundingRecordOrder,
} from './input.ts';

/** Ten seconds of waiting for postings, which take milliseconds. */
const mostTries = 25;

/** The books of a business's production tenant. */
export interface OperatorLedger extends Books {
  readonly businessId: string;
}

/** The books of a business's production funds. Throws not_found. */
export async function readLedgerByOperator(
  call: OperatorCall,
  businessId: string,
): Promise<OperatorLedger> {
  const { scope, services } = await inTenant(call, { businessId, environment: 'production' });
  return { businessId, ...(await readBooks(services.pool, scope)) };
}

/**
 * Changes whether approvals of a business's production payouts are refused without funds. `enforced` starts
 * from the opening balances that are stated: what the business has in each currency, in minor units from 0 to
 * 999,999,999,999, approved payouts that have not left included. The difference to what is posted is booked in
 * the same transaction. A currency that is not stated keeps what is posted. `reported` takes no balance.
 * Throws validation_failed, INVALID_MONEY, not_found; conflict while payouts from before the ledger are not
 * booked yet.
 */
export async function setFundingMode(
  call: OperatorCall,
  given: FundingModeOrder,
): Promise<OperatorLedger> {
  const { businessId, mode, openingBalances, reason } = parseInput(fundingModeOrder, given);
  const openings = openingBalances.map(toBalance);
  requireDistinct(openings.map(({ currency }) => currency));
  const work = () =>
    inTransaction(call.services.pool, async (client) => {
      const scope = await requireTenant(client, call.operator, businessId, 'production');
      const source = `opening ${newUlid()}`;
      if (!(await changeMode(client, scope, mode, openings, source))) {
        throw new DomainError('conflict', {
          message: 'Payouts from before the ledger are not booked yet; the worker is at it.',
        });
      }
      await recordAction(client, call.operator, {
        action: 'operatorFundingModeSet',
        businessId,
        environment: 'production',
        subjectId: businessId,
        reason,
        detail: {
          mode,
          ...Object.fromEntries(openings.map(({ currency, minor }) => [currency, Number(minor)])),
        },
      });
      return { businessId, ...(await readBooks(client, scope)) };
    });
  // A posting in two currencies can wait for the change while the change waits for it: the change gives way.
  return retryOnError((error) => lockedTooLong(error) || deadlocked(error), work, mostTries);
}

function requireDistinct(currencies: readonly string[]): void {
  if (new Set(currencies).size === currencies.length) return;
  const message = 'must name each currency once';
  throw invalid([{ field: 'openingBalances', code: 'duplicate', message }]);
}

/**
 * Books money that came into a business's production funds, went out or was taken as a fee. `amountMinor` is in
 * minor units of `currency`. `source` says what it is known from, for example a line of a statement: the same
 * source is booked once, and asked for again it gives the entry that is there. Throws validation_failed,
 * INVALID_MONEY, not_found; conflict for a source that was booked with another content.
 */
export async function recordFundingByOperator(
  call: OperatorCall,
  given: FundingRecordOrder,
): Promise<LedgerEntry> {
  const input = parseInput(fundingRecordOrder, given);
  const { businessId, kind, amountMinor, currency, source, reason } = input;
  const fault = moneyProblem(amountMinor, currency);
  if (fault !== null) throw new DomainError('INVALID_MONEY', { message: fault });
  const amount = BigInt(amountMinor); // moneyProblem proved it an integer
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, 'production');
    const draft = { kind, amount, currency, source: `operator ${source}` };
    const { entry, news } = await bookFunding(client, scope, draft);
    if (!news) {
      const same =
        entry.kind === kind && entry.amountMinor === amount && entry.currency === currency;
      if (same) return entry;
      throw new DomainError('conflict', {
        message: 'The source was booked with another kind, amount or currency.',
      });
    }
    await recordAction(client, call.operator, {
      action: 'operatorFundingRecord',
      businessId,
      environment: 'production',
      subjectId: entry.id,
      reason,
      detail: { kind, currency, amount_minor: Number(amount), source },
    });
    return entry;
  });
}
