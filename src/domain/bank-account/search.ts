import { z } from 'zod';
import { Prisma, type BankAccount } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { lastFourMeant } from './mask.ts';

/** The accounts that were found. */
export interface FoundAccounts {
  /** Newest first. */
  readonly accounts: readonly BankAccount[];
  /** There are more than these. */
  readonly more: boolean;
}

const input = z.strictObject({ text: text(255), first: z.int().min(1).max(50) });

/**
 * Both bounds say what the last characters are, and the order names the index of both columns: with an equality the
 * planner would take the order of the ids alone, and walk through all accounts.
 */
const statement = named(
  'search_bank_accounts',
  ['tenant', 'text', 'last4', 'take'],
  `
    WITH hits AS (
      SELECT a.id FROM bank_account a WHERE a.tenant_id = @tenant AND a.id = @text
      UNION
      SELECT e.id FROM (
        SELECT a.id FROM bank_account a
        WHERE a.tenant_id = @tenant AND (a.last4, a.id) > (@last4::text, '') AND (a.last4, a.id) < (@last4::text, '~')
        ORDER BY a.last4 DESC, a.id DESC LIMIT @take
      ) e
    )
    SELECT ${columns(Prisma.BankAccountScalarFieldEnum, 'a')}
    FROM hits h JOIN bank_account a ON a.tenant_id = @tenant AND a.id = h.id
    ORDER BY a.id DESC LIMIT @take`,
);

/**
 * Looks for bank accounts by the last characters that answers show, as `1234`, `****1234` or `•••• 1234`, or by an id.
 * Those of archived payees are found too. Throws forbidden and validation_failed.
 */
export async function searchBankAccounts(
  { scope, services }: Call,
  given: { readonly text: string; readonly first: number },
): Promise<FoundAccounts> {
  requirePermission(scope, 'read');
  const { text: wanted, first } = parseInput(input, given);
  const values = statement.of({
    tenant: scope.tenantId,
    text: wanted,
    last4: lastFourMeant(wanted),
    take: first + 1,
  });
  const found = await rows<BankAccount>(services.pool, statement, values);
  return { accounts: found.slice(0, first), more: found.length > first };
}
