/** What was thrown, as an Error. Throws nothing, whatever that was. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === 'string' ? thrown : 'what was thrown is no error');
}
