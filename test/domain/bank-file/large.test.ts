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
  const bytes = 16 * 1_048_576;
  const env = {
    PATH: '/usr/bin:/bin',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: world.harness.database.url,
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, tenantId, connection, String(bytes)],
    { env },
  );
  const [row] = await world.sql<{ lines: number }>(
    'SELECT count(*)::integer AS lines FROM bank_line WHERE connection_id = $1',
    [connection],
  );
  expect(row?.lines).toBeGreaterThan(20_000);
  expect(await world.sql('SELECT status FROM bank_file')).toEqual([{ status: 'read' }]);
  expect(Number(stdout)).toBeLessThan(200 * 1_048_576);
});
