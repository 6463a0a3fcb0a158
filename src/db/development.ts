import { Client } from 'pg';
import { type EmbeddedUrls, lastEmbeddedUrls } from './embedded-url.ts';

/** A database on this machine answers at once, or does not run. */
const connectMs = 5_000;

/**
 * The database that `npm start` runs in `dataDir`, or null where none runs. Production never uses it.
 *
 * @param say gets one line, so that nobody takes the development database for another
 */
export async function findDevelopmentDatabase(
  dataDir: string,
  production: boolean,
  say: (line: string) => void,
): Promise<EmbeddedUrls | null> {
  const urls = production ? null : lastEmbeddedUrls(dataDir);
  if (urls === null || !(await answers(urls.owner))) return null;
  say(`DATABASE_URL is not set: using the development database in ${dataDir}.`);
  return urls;
}

/** What to do where no database is named and none is found. */
export const noDatabase = (dataDir: string): string =>
  `DATABASE_URL: not set, and no development database runs in ${dataDir}; \`npm start\` runs one`;

/** Whether it runs: another program may have its port by now, and does not know the password. */
async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  // A server that ends in the middle is one that does not run.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
