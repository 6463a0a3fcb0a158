import { join } from 'node:path';
import { startEmbeddedPostgres } from '../postgres/embedded.ts';
import type { DevConfig } from './config.ts';
import type { Print } from './log-lines.ts';

export interface DevDatabase {
  /** For the API and the worker. */
  url: string;
  /** For the migration, and for people who want to see everything. */
  ownerUrl: string;
  stop(): Promise<void>;
}

/** The settings of the database. */
type Settings = Pick<DevConfig, 'databaseUrl' | 'ownerUrl' | 'dataDir'>;

/**
 * The database that DATABASE_URL names, which is not ours to stop, or the embedded PostgreSQL, kept
 * running: when it ends by itself it is started again on the same port. `onLost` is called when
 * that fails too.
 */
export async function openDatabase(
  { databaseUrl, ownerUrl, dataDir }: Settings,
  print: Print,
  onLost: (error: unknown) => void,
): Promise<DevDatabase> {
  if (databaseUrl !== null) {
    return { url: databaseUrl, ownerUrl: ownerUrl ?? databaseUrl, stop: async () => {} };
  }
  const start = (pinned: { port?: number }) =>
    startEmbeddedPostgres({
      dataDir: join(dataDir, 'postgres'),
      stopWithParent: true,
      log: print,
      ...pinned,
    });
  let stopping = false;
  let server = await start({});
  const { url, serviceUrl, port } = server;

  const keep = async () => {
    for (;;) {
      const reason = await server.exited;
      if (stopping) return;
      print(`${reason}; starting it again`);
      await server.stop();
      server = await start({ port });
      if (stopping) await server.stop();
    }
  };
  const kept = keep().catch((error: unknown) => {
    if (!stopping) onLost(error);
  });
  const stop = async () => {
    stopping = true;
    await server.stop();
    await kept;
  };
  return { url: serviceUrl, ownerUrl: url, stop };
}
