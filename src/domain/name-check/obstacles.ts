import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { NameObstacle } from '../payout/gates.ts';

const obstacles = named(
  'name_obstacles_of_accounts',
  ['tenant', 'accounts'],
  `
    SELECT a.id, command.name_check_obstacle(
      _check => a.name_check, _confirmed => a.name_check_confirmed_at IS NOT NULL, _close_match => s.close_match,
      _no_match => s.no_match, _not_possible => s.not_possible
    ) AS obstacle
    FROM bank_account a JOIN name_check_policy s ON s.tenant_id = @tenant
    WHERE a.tenant_id = @tenant AND a.id = ANY (@accounts::text[])`,
);

/** What the bank's word on the holder's name is in the way of, for each account in the order asked; null for nothing. */
export async function readNameObstacles(
  { scope, services }: Call,
  accounts: readonly string[],
): Promise<(NameObstacle | null)[]> {
  const values = obstacles.of({ tenant: scope.tenantId, accounts });
  type Row = { readonly id: string; readonly obstacle: NameObstacle | null };
  const found = await rows<Row>(services.pool, obstacles, values);
  const byAccount = new Map(found.map(({ id, obstacle }) => [id, obstacle]));
  return accounts.map((id) => byAccount.get(id) ?? null);
}
