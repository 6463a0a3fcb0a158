/** The key of a row without one: a digest of what it asks for, the same whatever the file is called and holds beside. */
export async function keyOf(
  input: Readonly<Record<string, string | number | null>>,
): Promise<string> {
  const content = JSON.stringify(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `csv-${hex.join('').slice(0, 40)}`;
}
