import {
  Prisma,
  type BankAccountVersion,
  type Payout,
} from '../../../../generated/prisma/client.ts';
import { columns } from '../../../db/columns.ts';
import { named } from '../../../db/named.ts';
import { rows } from '../../../db/pool.ts';
import type { Call } from '../../../process/services.ts';
import { openHolder } from '../../bank-account/details.ts';
import { maskedIdentifier } from '../../bank-account/versions.ts';
import { inAskedOrder } from '../../children.ts';

/** Where a payout goes: the details of the account that it was created with, masked. */
export interface PayoutDestination {
  readonly accountHolderName: string;
  readonly bankName: string | null;
  readonly country: string;
  readonly currency: string;
  /** Null once the payee is erased. */
  readonly maskedAccount: string | null;
  /** When the account got these details. */
  readonly since: Date;
  /** When it got others; null while these are its details. */
  readonly changedAt: Date | null;
}

export type DestinationOf = Pick<Payout, 'bankAccountId' | 'bankAccountVersion'>;

type VersionRow = BankAccountVersion & { readonly asked: number; readonly changedAt: Date | null };

const destinations = named(
  'destinations_of_payouts',
  ['tenant', 'accounts', 'versions'],
  `
    SELECT g.asked::integer AS asked, ${columns(Prisma.BankAccountVersionScalarFieldEnum, 'v')}, (
      SELECT n.created_at FROM bank_account_version n
      WHERE n.tenant_id = @tenant AND n.bank_account_id = v.bank_account_id AND n.version = v.version + 1
    ) AS "changedAt"
    FROM unnest(@accounts::text[], @versions::integer[]) WITH ORDINALITY AS g(account, version, asked)
    JOIN bank_account_version v
      ON v.tenant_id = @tenant AND v.bank_account_id = g.account AND v.version = g.version`,
);

/** The destinations of some payouts, in the order asked; null for an account that does not exist. */
export async function readDestinations(
  call: Call,
  asked: readonly DestinationOf[],
): Promise<(PayoutDestination | null)[]> {
  const found = await rows<VersionRow>(
    call.services.pool,
    destinations,
    destinations.of({
      tenant: call.scope.tenantId,
      accounts: asked.map(({ bankAccountId }) => bankAccountId),
      versions: asked.map(({ bankAccountVersion }) => bankAccountVersion),
    }),
  );
  return inAskedOrder(found, asked).map(([row]) => {
    if (row === undefined) return null;
    return {
      accountHolderName: openHolder(call, 'bankAccountVersion', row),
      bankName: row.bankName,
      country: row.country,
      currency: row.currency,
      maskedAccount: maskedIdentifier(call, row),
      since: row.createdAt,
      changedAt: row.changedAt,
    };
  });
}
