import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDevConfig } from '../../dev/stack/config.ts';
import { programs, serviceSpecs } from '../../dev/stack/services.ts';
import { freePort } from '../support/free-port.ts';
import { testDatabase } from '../support/database.ts';
import { eventually, makeTenant } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';

const beneficiaries = 100_000;
/** A process that has only started has some 150; how many depends on the machine. */
const limitMebibytes = 200;
/**
 * What an export may add. Alone it adds 8, and on a busy machine garbage that waits to be collected. A document of the
 * address book would be 13 in one piece, beside its rows.
 */
const growthMebibytes = 30;

/** Resident memory of a process, in MiB. */
function residentMemory(pid: number): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

it.runIf(existsSync('/proc/self/status'))(
  'an address book of 100,000 leaves an API process of the bundle under 200 MiB, thirty more than when it started',
  { timeout: longTestMs },
  async () => {
    const database = await testDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'export-memory-'));
    const tenant = await makeTenant({ database });
    await database.pool.query(
      `INSERT INTO beneficiary (tenant_id, id, beneficiary_type, email, email_key, first_name,
         last_name, compliance_status, transition_count)
       SELECT $1, 'ben_' || lpad(n::text, 26, '0'), 'person', n || '@example.com', n || '@example.com',
         'Ada', 'Lovelace the ' || n || 'th', 'compliant', 1
       FROM generate_series(1, $2::integer) AS n`,
      [tenant.tenantId, beneficiaries],
    );
    const config = readDevConfig({
      DATA_DIR: folder,
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
      RATE_LIMIT_GENEROUS: '1000000',
      RATE_LIMIT_THIN: '1000000',
    });
    const spec = serviceSpecs(config, database.url, programs).find(({ name }) => name === 'api');
    if (spec?.readyUrl === undefined) throw new Error('npm start has no API');
    const { entry, environment, readyUrl } = spec;
    const api = spawn(process.execPath, [entry], { env: environment, stdio: 'inherit' });
    const pid = api.pid ?? 0;
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMemory(pid));
    }, 5);
    try {
      await eventually(() =>
        fetch(readyUrl).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const started = residentMemory(pid);
      peak = 0;
      for (let round = 0; round < 3; round += 1) {
        const answer = await fetch(new URL('/v1/beneficiaries/export', readyUrl), {
          headers: { authorization: `Bearer ${tenant.key}` },
        });
        const lines = (await answer.text()).split('\r\n');
        expect(lines).toHaveLength(beneficiaries + 2);
      }
      expect(peak).toBeGreaterThan(0);
      expect(peak).toBeLessThan(limitMebibytes);
      expect(peak - started).toBeLessThan(growthMebibytes);
    } finally {
      clearInterval(watch);
      const ended = once(api, 'exit');
      api.kill('SIGTERM');
      await ended;
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
