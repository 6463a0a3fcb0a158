import { readFile } from 'node:fs/promises';
import type { GraphiQLOptions } from 'graphql-yoga';
import { parseKey } from '../../src/access/key.ts';
import type { Config } from '../../src/process/config.ts';
import { examples } from './examples.ts';

/** Headers by which a proxy, or the page of another origin, is seen. */
const telltale = ['forwarded', 'x-forwarded-for', 'via', 'origin'];

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** What of a request says where it comes from. */
interface Asking {
  readonly headers: { get(name: string): string | null };
  readonly clientAddress: string | null;
}

/**
 * Whether a browser on this machine asks for the page under a name of this machine: nobody else is shown a
 * key, whatever name they give to this address.
 */
function isLocal({ headers, clientAddress }: Asking): boolean {
  const host = `http://${headers.get('host') ?? ''}`;
  const name = URL.canParse(host) ? new URL(host).hostname : '';
  return (
    ['localhost', '127.0.0.1', '[::1]'].includes(name) &&
    loopback.has(clientAddress ?? '') &&
    telltale.every((header) => headers.get(header) === null)
  );
}

/** The sandbox key in the file; null where there is none, also for a key of another kind. */
async function readSandboxKey(file: string): Promise<string | null> {
  try {
    const key = (await readFile(file, 'utf8')).trim();
    return parseKey(key)?.kind === 'sandbox' ? key : null;
  } catch {
    return null;
  }
}

/**
 * What GraphiQL opens with: the examples, and in their headers the sandbox key of `npm start` for a browser on
 * this machine. Production has no GraphiQL.
 */
export async function graphiqlOptions(
  { GRAPHIQL_KEY_PATH: file, NODE_ENV }: Pick<Config, 'GRAPHIQL_KEY_PATH' | 'NODE_ENV'>,
  asking: Asking,
): Promise<GraphiQLOptions | false> {
  if (NODE_ENV === 'production') return false;
  const key = file !== null && isLocal(asking) ? await readSandboxKey(file) : null;
  const shown = key ?? '<a sandbox key; npm run key prints that of npm start>';
  const headers = JSON.stringify({ Authorization: `Bearer ${shown}` }, null, 2);
  return {
    title: 'Payouts',
    headers,
    defaultHeaders: headers,
    defaultEditorToolsVisibility: 'headers',
    // For subscriptions too, which it would send as GET otherwise.
    method: 'POST',
    defaultTabs: examples.map(({ query, variables }) => ({
      query,
      headers,
      variables: variables === undefined ? null : JSON.stringify(variables, null, 2),
    })),
  };
}
