/** Added to a prefix it stands behind every name that the prefix begins, of 64 characters at most. */
export const behindNames = '\u{10ffff}'.repeat(65);
