const mark = 'session ';

/** The token of a session in the place of a key, for `rest` and `graphql` of the harness. */
export const asKey = (token: string): string => `${mark}${token}`;

/** The headers of a credential: a key, or what `asKey` made. */
export function credentialHeaders(key: string, publicUrl: string): Record<string, string> {
  if (!key.startsWith(mark)) return { authorization: `Bearer ${key}` };
  return {
    cookie: `__Host-payouts_session=${key.slice(mark.length)}`,
    origin: publicUrl,
    'x-payouts-console': '1',
  };
}
