import { join, resolve } from 'node:path';
import { readCluster } from './cluster.ts';

/**
 * URL of the database of `npm start` in `dataDir` (the setting DATA_DIR), as its last run left it, or
 * null when there was none. Whether it runs now is found out by connecting.
 */
export function lastEmbeddedUrl(dataDir: string): string | null {
  const cluster = readCluster(resolve(join(dataDir, 'postgres')));
  if (cluster === null || cluster.port === null) return null;
  return `postgresql://postgres:${cluster.password}@127.0.0.1:${cluster.port}/payouts`;
}
