import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What must be remembered from run to run; kept next to the data, readable by its owner only. */
export interface Cluster {
  /** Where the data is instead of `dataDir`, which PostgreSQL's user cannot reach; else null. */
  shelter: string | null;
  password: string;
  /** The port of the last run, so that a database URL stays good from run to run. */
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
 * URL of the database of `npm start` in `dataDir` (the setting DATA_DIR), as its last run left it, or
 * null when there was none. Whether it runs now is found out by connecting.
 */
export function lastEmbeddedUrl(dataDir: string): string | null {
  const cluster = readCluster(resolve(join(dataDir, 'postgres')));
  if (cluster === null || cluster.port === null) return null;
  return `postgresql://postgres:${cluster.password}@127.0.0.1:${cluster.port}/payouts`;
}
