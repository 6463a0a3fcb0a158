import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/db/migrate.ts';
import { migrationsDir } from '../../../src/db/ready.ts';
import { freePort } from '../../support/free-port.ts';
import { type DatabaseServer, postmasterPid, startServer } from './standby.ts';

/** A PostgreSQL of its own, with the tables of the service, that dies and comes back at the same address. */
export interface MortalPostgres {
  /** As the owner of the tables connects. */
  readonly url: string;
  /** As the service connects. */
  readonly serviceUrl: string;
  /** Ends it, by `kill -9` or in order, and starts it again on the same data. */
  restart(how: 'kill' | 'stop'): Promise<void>;
  close(): Promise<void>;
}

export async function startMortalPostgres(): Promise<MortalPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'mortal-postgres-'));
  // PostgreSQL runs as another user where the tests run as root.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  const port = await freePort();
  const start = (): Promise<DatabaseServer> => startServer(dataDir, {}, port);
  let server = await start();
  const { url, serviceUrl } = server.postgres;
  const close = async (): Promise<void> => {
    await server.postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await migrate(url, migrationsDir, { serviceUrl });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    serviceUrl,
    async restart(how) {
      if (how === 'kill') {
        process.kill(await postmasterPid(url), 'SIGKILL');
        await server.postgres.exited;
      }
      await server.postgres.stop();
      server = await start();
    },
    close,
  };
}
