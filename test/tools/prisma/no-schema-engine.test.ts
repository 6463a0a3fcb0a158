import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const standIn = join(import.meta.dirname, '../../../tools/prisma/no-schema-engine.ts');

test('the stand-in for the schema engine answers every request with an error', () => {
  const requests = [1, 2].map((id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'diff' }));
  const { stdout, status } = spawnSync(process.execPath, [standIn], {
    input: `${requests.join('\n')}\n`,
    encoding: 'utf8',
  });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(status).toBe(0);
  expect(answers).toMatchObject([
    { id: 1, error: { message: expect.stringContaining('src/migrate.ts') as string } },
    { id: 2, error: { message: expect.stringContaining('src/migrate.ts') as string } },
  ]);
});

test('asked by command line it fails', () => {
  const args = [standIn, '--datasource', '{}', 'cli', 'can-connect-to-database'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('no schema engine');
});
