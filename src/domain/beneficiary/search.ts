import { z } from 'zod';
import { Prisma, type Beneficiary } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { beginsWithName, nameBounds } from '../../db/name-prefix.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { emailKey, text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { emailHash } from '../encryption/lookup.ts';

/** The payees that were found. */
export interface FoundBeneficiaries {
  /** By their legal names. */
  readonly beneficiaries: readonly Beneficiary[];
  /** There are more than these. */
  readonly more: boolean;
}

const input = z.strictObject({
  // As long as the longest of what it can be.
  text: text(255),
  first: z.int().min(1).max(50),
});

/** Payees of whom a column of an index `(tenant_id, column, id)` begins with the name. */
const begins = (column: string) => `
      SELECT b.id FROM (
        SELECT b.id FROM beneficiary b
        WHERE b.tenant_id = @tenant AND b.archived_at IS NULL AND @name::text IS NOT NULL
          AND ${beginsWithName(`b.${column}`)}
        ORDER BY b.${column}, b.id LIMIT @take
      ) b`;

/**
 * Each thing that a text can be is a walk through an index of its own that stops with the last row wanted. A name is
 * looked for within names where too few begin with it.
 */
const statement = named(
  'search_beneficiaries',
  ['tenant', 'text', 'email', 'emailHash', 'name', 'nameEnd', 'take'],
  `
    WITH sure AS (
      SELECT b.id FROM beneficiary b WHERE b.tenant_id = @tenant AND b.archived_at IS NULL AND b.id = @text
      UNION
      SELECT b.id FROM beneficiary b WHERE b.tenant_id = @tenant AND b.archived_at IS NULL AND b.email_hash = @emailHash
      UNION
      SELECT b.id FROM beneficiary b WHERE b.tenant_id = @tenant AND b.archived_at IS NULL AND b.email_key = @email
      UNION
      ${begins('name_key')}
      UNION
      ${begins('last_name_key')}
      UNION
      ${begins('nickname_key')}
    ), hits AS (
      SELECT s.id FROM sure s
      UNION
      SELECT n.id FROM ops.payees_named(
        @tenant, @text, CASE WHEN (SELECT count(*) FROM sure) < @take::integer THEN @take::integer ELSE 0 END, true
      ) n
    )
    SELECT ${columns(Prisma.BeneficiaryScalarFieldEnum, 'b')}
    FROM hits h CROSS JOIN LATERAL (
      SELECT b.* FROM beneficiary b WHERE b.tenant_id = @tenant AND b.id = h.id LIMIT 1
    ) b
    ORDER BY b.name_key, b.id LIMIT @take`,
);

/**
 * Looks for payees by what a person has of them: any part of the legal name or nickname, or the whole e-mail address or
 * id. Case and accents are ignored, and archived payees are not found. Throws forbidden and validation_failed.
 */
export async function searchBeneficiaries(
  call: Call,
  given: { readonly text: string; readonly first: number },
): Promise<FoundBeneficiaries> {
  requirePermission(call.scope, 'read');
  const { text: wanted, first } = parseInput(input, given);
  const hash = await emailHash(call);
  const email = emailKey(wanted);
  const values = statement.of({
    tenant: call.scope.tenantId,
    text: wanted,
    email,
    emailHash: hash(email),
    ...nameBounds(wanted),
    take: first + 1,
  });
  const found = await rows<Beneficiary>(call.services.pool, statement, values);
  return { beneficiaries: found.slice(0, first), more: found.length > first };
}
