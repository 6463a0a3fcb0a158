import type { Pool } from 'pg';
import { firstRow, platformStatement } from '../../db/pool.ts';

export interface Registrant {
  readonly email: string;
  readonly companyName: string;
}

const registrantById = platformStatement({
  name: 'registrant_by_id',
  text: `
    SELECT u.email, b.company_name AS "companyName"
    FROM membership m
    JOIN business b ON b.id = m.business_id
    JOIN app_user u ON u.id = m.user_id
    WHERE m.business_id = $1 AND m.user_id = $2`,
});

/** Who registered which company, for the mail that greets them; null when they are no longer there. */
export function findRegistrant(
  pool: Pool,
  businessId: string,
  userId: string,
): Promise<Registrant | null> {
  return firstRow<Registrant & Record<string, unknown>>(pool, registrantById, [businessId, userId]);
}
