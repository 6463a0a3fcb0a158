import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/db/migrate.ts';
import { migrationsDir } from '../../../src/db/ready.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { addStandby, type DatabaseServer, postmasterPid, query, startServer } from './standby.ts';

/** A primary, to which a synchronous standby can be added, behind an address that follows the primary. */
export interface Pair {
  /** As the service connects. */
  readonly databaseUrl: string;
  /** As the owner of the tables. */
  readonly ownerUrl: string;
  /** Gives the primary a standby, without which it acknowledges nothing from then on. */
  addStandby(): Promise<void>;
  /** Kills the primary and makes the standby the primary, which has none of its own yet. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

export async function startPair(): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'pair-'));
  // PostgreSQL runs as another user where the tests run as root.
  chmodSync(folder, 0o755);
  let servers = 0;
  const nextDir = (): string => join(folder, `server-${(servers += 1)}`);
  const closing = new AsyncDisposableStack();
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const proxy: CuttingProxy = await startCuttingProxy();
    closing.defer(() => proxy.close());
    let primary = await startServer(nextDir());
    let standby: DatabaseServer | null = null;
    closing.defer(async () => {
      await standby?.postgres.stop();
      await primary.postgres.stop();
    });
    const { url, serviceUrl } = primary.postgres;
    await migrate(url, migrationsDir, { serviceUrl });
    proxy.leadTo(primary.postgres.port);
    const through = (place: string): string =>
      Object.assign(new URL(place), { port: String(proxy.port) }).href;
    return {
      databaseUrl: through(serviceUrl),
      ownerUrl: through(url),
      async addStandby() {
        standby = await addStandby(primary, nextDir());
      },
      async failOver() {
        if (standby === null) throw new Error('there is no standby that could take over');
        await kill(primary);
        proxy.leadTo(null);
        await query(standby.postgres.url, 'SELECT pg_promote(wait => true)');
        [primary, standby] = [standby, null];
        proxy.leadTo(primary.postgres.port);
      },
      close: () => closing.disposeAsync(),
    };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

/** `kill -9`: its sessions end without a word, and what it had not sent to the standby is gone. */
async function kill({ postgres, dataDir }: DatabaseServer): Promise<void> {
  process.kill(await postmasterPid(postgres.url), 'SIGKILL');
  await postgres.exited;
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
