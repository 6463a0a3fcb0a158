import { join } from 'node:path';
import { startEmbeddedPostgres } from '../postgres/embedded.ts';
import type { DevConfig } from './config.ts';

export interface DevDatabase {
  /** For the API and the worker. */
  readonly url: string;
  /** For the migration, and for people who want to see everything. */
  readonly ownerUrl: string;
  /** Rejects when the database is lost. */
  readonly lost: Promise<never>;
  stop(): Promise<void>;
}

const never = new Promise<never>(() => {});

/**
 * The database that DATABASE_URL names, which is not ours to stop, or the embedded PostgreSQL, which is started again on
 * the same port when it ends by itself.
 */
export async function openDatabase(
  { databaseUrl, ownerUrl, dataDir }: DevConfig,
  print: (line: string) => void,
): Promise<DevDatabase> {
  if (databaseUrl !== null) {
    const url = databaseUrl;
    return { url, ownerUrl: ownerUrl ?? url, lost: never, stop: () => Promise.resolve() };
  }
  const options = { dataDir: join(dataDir, 'postgres'), log: print };
  let stopping = false;
  let server = await startEmbeddedPostgres(options);
  const { url, serviceUrl, port } = server;
  const keep = async (): Promise<void> => {
    while (!stopping) {
      const reason = await server.exited;
      if (stopping) return;
      print(`${reason}; starting it again`);
      await server.stop();
      server = await startEmbeddedPostgres({ ...options, port });
      if (stopping) await server.stop();
    }
  };
  const kept = keep();
  const lost = kept.then(() => never);
  // It may be lost before anybody waits for that.
  lost.catch(() => undefined);
  const stop = async (): Promise<void> => {
    stopping = true;
    await server.stop();
    await kept.catch(() => undefined);
  };
  return { url: serviceUrl, ownerUrl: url, lost, stop };
}
