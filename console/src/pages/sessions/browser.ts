const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const named = (list: readonly (readonly [string, string])[], text: string): string | null =>
  list.find(([mark]) => text.includes(mark))?.[1] ?? null;

/** A browser by the names that people know, `Firefox, Windows`; null where neither is known. */
export function browserName(userAgent: string | null | undefined): string | null {
  const text = userAgent ?? '';
  const parts = [named(browsers, text), named(systems, text)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}
