/**
 * Whether a `Prefer` header asks for an answer before the work is done (RFC 7240, section 4.1). A
 * preference is a token, maybe with a value and parameters; what is inside quotes names none.
 */
export function prefersAsync(header: string | undefined): boolean {
  const unquoted = (header ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return unquoted
    .split(',')
    .some(
      (preference) => (preference.split(';')[0] ?? '').trim().toLowerCase() === 'respond-async',
    );
}
