import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What one run of the embedded database leaves for the next; a file next to the data that only its owner can read. */
export interface Cluster {
  /** Where the data is if PostgreSQL's user cannot reach `dataDir`; otherwise null. */
  shelter: string | null;
  password: string;
  /** The port of the last run, so that the URL of the database stays the same. */
  port: number | null;
}

/** `<dataDir>.json` as the last run left it, or null on the first run. */
export function readCluster(dataDir: string): Cluster | null {
  try {
    return JSON.parse(readFileSync(`${dataDir}.json`, 'utf8')) as Cluster;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The addresses of the database of `npm start`. */
export interface EmbeddedUrls {
  /** As the superuser, who owns everything. */
  readonly owner: string;
  /** As the service connects. */
  readonly service: string;
}

/** @param database its name; `npm start` uses `payouts` */
export function embeddedUrls(password: string, port: number, database: string): EmbeddedUrls {
  const url = new URL(`postgresql://postgres:${password}@127.0.0.1:${port}`);
  url.pathname = `/${encodeURIComponent(database)}`;
  const owner = url.href;
  url.username = 'payouts_app';
  // Whoever has the service's password cannot tell the superuser's.
  url.password = createHmac('sha256', password).update('payouts_app').digest('hex');
  return { owner, service: url.href };
}

/**
 * The database of `npm start` in `dataDir` (the setting DATA_DIR) as its last run left it, or null if there was
 * none. It need not be running.
 */
export function lastEmbeddedUrls(dataDir: string): EmbeddedUrls | null {
  const cluster = readCluster(resolve(join(dataDir, 'postgres')));
  if (cluster === null || cluster.port === null) return null;
  return embeddedUrls(cluster.password, cluster.port, 'payouts');
}
