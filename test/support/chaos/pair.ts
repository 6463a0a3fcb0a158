import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/db/migrate.ts';
import { migrationsDir } from '../../../src/db/ready.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { addStandby, type DatabaseServer, query, startServer } from './standby.ts';

/** A primary with a synchronous standby, behind an address that follows the primary. */
export interface Pair {
  /** As the service connects. */
  readonly databaseUrl: string;
  /** As the owner of the tables. */
  readonly ownerUrl: string;
  /** Kills the primary and makes the standby the primary, with a new standby. */
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
    closing.defer(() => primary.postgres.stop());
    const { url, serviceUrl } = primary.postgres;
    await migrate(url, migrationsDir, { serviceUrl });
    let standby = await addStandby(primary, nextDir());
    closing.defer(() => standby.postgres.stop());
    proxy.leadTo(primary.postgres.port);
    const through = (place: string): string =>
      Object.assign(new URL(place), { port: String(proxy.port) }).href;
    return {
      databaseUrl: through(serviceUrl),
      ownerUrl: through(url),
      async failOver() {
        await kill(primary);
        proxy.leadTo(null);
        primary = await promote(standby);
        proxy.leadTo(primary.postgres.port);
        standby = await addStandby(primary, nextDir());
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
  const [row] = await query<{ pid: string }>(
    postgres.url,
    `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`,
  );
  process.kill(Number(row?.pid), 'SIGKILL');
  await postgres.exited;
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function promote(standby: DatabaseServer): Promise<DatabaseServer> {
  await query(standby.postgres.url, 'SELECT pg_promote(wait => true)');
  return standby;
}
