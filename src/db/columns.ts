/** `amountMinor` → `amount_minor`: the one rule by which schema.prisma names columns. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The select list that gives a table's columns the field names of its Prisma model, so that a row
 * from a guarded statement and one that Prisma read are the same type.
 * @param fields the model's `…ScalarFieldEnum` of the generated client
 */
export function columns(fields: Readonly<Record<string, string>>, alias: string): string {
  return Object.values(fields)
    .map((field) => `${alias}.${columnName(field)} AS "${field}"`)
    .join(', ');
}
