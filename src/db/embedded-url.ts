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

/**
 * URL of the database of `npm start` in `dataDir` (the setting DATA_DIR) in its last run, or null if there was
 * none. The database need not be running.
 */
export function lastEmbeddedUrl(dataDir: string): string | null {
  const cluster = readCluster(resolve(join(dataDir, 'postgres')));
  if (cluster === null || cluster.port === null) return null;
  return `postgresql://postgres:${cluster.password}@127.0.0.1:${cluster.port}/payouts`;
}
