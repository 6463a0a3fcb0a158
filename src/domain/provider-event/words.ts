/**
 * SQL: a stored event without the provider's own words, which may tell of a payee. The rest is ids, amounts, codes and
 * times.
 * @param event the column
 */
export const wordless = (event: string): string =>
  `jsonb_set(jsonb_set(${event}, '{failure,message}', '""', false), '{reason}', '""', false)`;
