/**
 * SQL: the closing balances of a tenant that count, as an item of FROM. They are of the connections' own accounts, in
 * files that were applied. One that is read once more counts as it was applied before, until that is applied too.
 */
export const countedStatements = `(
        SELECT b.connection_id, b.file_id, b.currency, b.number, b.closing_minor, b.closing_day, f.received_at
        FROM bank_statement b JOIN bank_file f ON f.tenant_id = b.tenant_id AND f.id = b.file_id
        WHERE b.tenant_id = @tenant AND b.own AND b.closing_minor IS NOT NULL AND b.closing_day IS NOT NULL
          AND (f.applied_at IS NOT NULL OR f.counted_before)
      )`;
