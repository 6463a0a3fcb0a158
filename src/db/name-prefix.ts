/** Added to a prefix it stands behind every name that the prefix begins, of 64 characters at most. */
export const behindNames = '\u{10ffff}'.repeat(65);

/** SQL: a name as the generated columns of names hold it, so that it is compared with them by their index. */
export const nameKeyOf = (parameter: string): string =>
  `lower(${parameter}::text COLLATE "pg_c_utf8") COLLATE "C"`;

/** SQL: whether a column of names begins with `@name`; of the parameters of `nameBounds`. */
export const beginsWithName = (column: string): string =>
  `${column} >= ${nameKeyOf('@name')} AND ${column} < ${nameKeyOf('@nameEnd')}`;

/** The bounds of the names that a text begins; null for one that is longer than a column of names. */
export function nameBounds(text: string): {
  readonly name: string | null;
  readonly nameEnd: string | null;
} {
  const name = [...text].length <= 64 ? text : null;
  return { name, nameEnd: name === null ? null : name + behindNames };
}
