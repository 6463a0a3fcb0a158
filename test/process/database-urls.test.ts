import { expect, test } from 'vitest';
import { readDevConfig } from '../../dev/stack/config.ts';
import { closeServices, createServices } from '../../src/process/services.ts';
import { loadConfig } from '../../src/process/config.ts';
import { readVerifyConfig } from '../../tools/verify/config.ts';

const pooled = { DATABASE_URL: 'postgres://service@pooler/payouts' };
const direct = { ...pooled, DIRECT_DATABASE_URL: 'postgres://service@primary/payouts' };
const owned = { ...direct, MIGRATION_DATABASE_URL: 'postgres://owner@primary/payouts' };

test('what needs a session asks the owner, else directly, else as everything does', async () => {
  const read = async (env: NodeJS.ProcessEnv) => (await readVerifyConfig([], env)).databaseUrl;
  const asked = await Promise.all([owned, direct, pooled].map(read));
  expect(asked).toEqual([
    owned.MIGRATION_DATABASE_URL,
    direct.DIRECT_DATABASE_URL,
    pooled.DATABASE_URL,
  ]);
});

test('a process has connections of its own for sessions only where they have another address', async () => {
  const near = createServices(loadConfig({ NODE_ENV: 'test', ...pooled }), 'worker');
  expect(near.directPool).toBe(near.pool);
  const far = createServices(loadConfig({ NODE_ENV: 'test', ...direct }), 'worker');
  expect(far.directPool.options).toMatchObject({
    connectionString: direct.DIRECT_DATABASE_URL,
    max: 5,
  });
  await closeServices(near);
  await closeServices(far);
  expect(far.directPool.ended).toBe(true);
});

test('beside the embedded database an address of another one is left out', () => {
  const { DIRECT_DATABASE_URL } = direct;
  expect(readDevConfig({ DIRECT_DATABASE_URL }).environment).toMatchObject({
    DIRECT_DATABASE_URL: '',
  });
  expect(readDevConfig(direct).environment).toMatchObject({ DIRECT_DATABASE_URL });
});
