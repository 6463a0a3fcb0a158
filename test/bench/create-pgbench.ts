import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeLiteral } from 'pg';
import { createOnePayout } from '../../src/domain/payout/commands.gen.ts';
import type { BenchSeed } from './seed.ts';

/**
 * The command of a create as pgbench, PostgreSQL's own load generator, sends it: what the database can do
 * when its driver costs next to nothing. Null where no pgbench is on the path; it comes with PostgreSQL's
 * server packages.
 *
 * @returns payouts a second
 */
export async function createByPgbench(
  seed: BenchSeed,
  at: { readonly url: string; readonly folder: string },
  load: { readonly connections: number; readonly milliseconds: number },
): Promise<number | null> {
  const script = join(at.folder, 'create.pgbench.sql');
  await writeFile(script, scriptOf(seed));
  const seconds = String(Math.max(1, Math.round(load.milliseconds / 1_000)));
  const size = ['-c', String(load.connections), '-j', '1', '-T', seconds];
  const child = spawn('pgbench', ['-n', '-M', 'prepared', ...size, '-f', script, at.url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const code = await once(child, 'close').then(
    ([ended]) => Number(ended),
    () => null, // not on the path
  );
  if (code === null) return null;
  const rate = /tps = ([0-9.]+)/.exec(printed)?.[1];
  if (code !== 0 || rate === undefined) throw new Error(`pgbench ended with ${code}`);
  return Number(rate);
}

function scriptOf({ tenantId, businessId, body }: BenchSeed): string {
  const payout = {
    ...body,
    request_hash: '00',
    amount: '1250.00',
    validator_strategy: 'manual',
    echo_differs: false,
    state: 'pending_approval',
  };
  // pgbench takes a colon before a digit for a variable; indented JSON has a space there.
  const fixed = escapeLiteral(JSON.stringify(payout, null, 1).replaceAll('\n', ' '));
  const values: Readonly<Record<string, string>> = {
    _tenant: escapeLiteral(tenantId),
    _payout: `${fixed}::jsonb || jsonb_build_object('id', 'pay_' || :r, 'idempotency_key', 'key_' || :r)`,
    _actor: `'{"type": "system", "name": "bench"}'`,
    _sandbox: 'true',
    _dry_run: 'false',
    _business: escapeLiteral(businessId),
    _key_hours: '24',
  };
  const call = createOnePayout.statement.text.replace(
    /(_\w+) => \$\d+/g,
    (whole, name: string) => `${name} => ${values[name] ?? whole}`,
  );
  return `\\set r random(1, 9000000000000000000)\n${call.replaceAll('\n', ' ')};\n`;
}
