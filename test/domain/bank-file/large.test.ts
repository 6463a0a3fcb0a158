import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { useBankInbox } from '../../support/bank-inbox.ts';

const world = useBankInbox();
const program = join(import.meta.dirname, 'programs/take-statement.ts');

it('stores and reads a large statement in bounded memory, and all of its lines count at once', async () => {
  const connection = await world.connect({ country: 'DE' });
  const { tenantId } = world.call.scope;
  const bytes = 6 * 1_048_576;
  const env = {
    PATH: '/usr/bin:/bin',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: world.harness.database.url,
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    // A small heap, so that what is not held any more is collected: the figure is what is held.
    [
      '--max-old-space-size=96',
      '--max-semi-space-size=4',
      program,
      tenantId,
      connection,
      String(bytes),
    ],
    { env },
  );
  const [row] = await world.sql<{ lines: number }>(
    'SELECT count(*)::integer AS lines FROM bank_line WHERE connection_id = $1',
    [connection],
  );
  expect(row?.lines).toBeGreaterThan(7_500);
  expect(await world.sql('SELECT status FROM bank_file')).toEqual([{ status: 'read' }]);
  const { baseline, most } = JSON.parse(stdout) as { baseline: number; most: number };
  // The modules of the service alone take more than half of the 200 MB.
  expect(most - baseline).toBeLessThan(100 * 1_048_576);
});
