/**
 * WITH … groups(name): the groups of the tenant's payouts that have the chosen states, currency, failure code
 * and provider; each choice but the states may be null. Each group is found by one look into an index that
 * begins with them, so that this costs as much as there are groups, however many payouts they have. A state
 * is followed by a space, and ! follows that.
 */
export const groups = `
    WITH RECURSIVE found AS (
      SELECT s.state, (
        SELECT p.list_group FROM payout p
        WHERE p.tenant_id = @tenant AND p.list_group >= s.state || ' ' AND p.list_group < s.state || '!'
        ORDER BY p.list_group LIMIT 1
      ) AS name
      FROM unnest(@states::text[]) AS s(state)
      UNION ALL
      SELECT f.state, (
        SELECT p.list_group FROM payout p
        WHERE p.tenant_id = @tenant AND p.list_group > f.name AND p.list_group < f.state || '!'
        ORDER BY p.list_group LIMIT 1
      )
      FROM found f WHERE f.name IS NOT NULL
    ), groups AS (
      SELECT f.name FROM found f
      WHERE f.name IS NOT NULL
        AND (@currency::text IS NULL OR split_part(f.name, ' ', 2) = @currency)
        AND (@failureCode::text IS NULL OR split_part(f.name, ' ', 3) = @failureCode)
        AND (@provider::text IS NULL OR split_part(f.name, ' ', 4) = @provider)
    )`;
