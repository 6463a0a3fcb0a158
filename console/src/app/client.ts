import { cacheExchange, Client, fetchExchange, mapExchange } from 'urql';

/** Says that the session has ended; set by the shell. */
let onUnauthorized = (): void => {};

export function whenUnauthorized(listener: () => void): void {
  onUnauthorized = listener;
}

/** Makes a request one that no page of another origin can send without being asked about it first. */
export const consoleHeader = 'X-Payouts-Console';

/** For whom the page acts, as `viewer.actingFor` says it; null before that is known. */
let actingFor: string | null = null;

/**
 * From here on requests say for whom they are meant, so that one does nothing elsewhere after the session was
 * switched in another tab.
 */
export function actFor(whom: string | null): void {
  actingFor = whom;
}

/**
 * The options of a request. A header says whether its person or the page itself made it: the latter does not keep a
 * session alive.
 */
export function requestOptions(
  by: 'person' | 'background',
): RequestInit & { readonly headers: Record<string, string> } {
  return {
    credentials: 'same-origin',
    headers: {
      [consoleHeader]: by === 'person' ? '1' : 'background',
      ...(actingFor === null ? {} : { 'X-Payouts-Acting-For': actingFor }),
    },
  };
}

/** Makes the client of a session: another session or environment gets another, with an empty cache. */
export function makeClient(): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [
      cacheExchange,
      mapExchange({
        onError({ graphQLErrors }) {
          if (graphQLErrors.some(({ extensions }) => extensions['code'] === 'unauthorized')) {
            onUnauthorized();
          }
        },
      }),
      fetchExchange,
    ],
    fetchOptions: () => requestOptions('person'),
  });
}
