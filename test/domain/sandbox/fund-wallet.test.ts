import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlers } from '../../../jobs/handlers.ts';
import { loadConfig } from '../../../src/process/config.ts';
import { closeServices, createServices, type Services } from '../../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { makeTenant } from '../../support/factory.ts';

let database: TestDatabase;
let services: Services;
beforeAll(async () => {
  database = await testDatabase();
  const settings = { NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: database.url };
  services = createServices(loadConfig(settings), 'worker');
});
afterAll(async () => {
  await closeServices(services);
  await database.drop();
});

async function accounts(tenantId: string) {
  const { rows } = await database.pool.query(
    `SELECT currency, status, available_balance_minor::text AS balance
     FROM funding_account WHERE tenant_id = $1`,
    [tenantId],
  );
  return rows;
}

test('opens the wallet with USD 1,000,000 once, also when jobs race', async () => {
  const { tenantId } = await makeTenant({ database }, { funded: false });
  await Promise.all(
    Array.from({ length: 6 }, () => handlers.fund_sandbox_wallet({ tenantId }, services)),
  );
  const million = { currency: 'USD', status: 'active', balance: '100000000' };
  expect(await accounts(tenantId)).toEqual([million]);
});

test('a balance that was set since stays, zero included', async () => {
  const { tenantId } = await makeTenant({ database }, { funded: false });
  await handlers.fund_sandbox_wallet({ tenantId }, services);
  await database.pool.query(
    'UPDATE funding_account SET available_balance_minor = 0 WHERE tenant_id = $1',
    [tenantId],
  );
  await handlers.fund_sandbox_wallet({ tenantId }, services);
  expect(await accounts(tenantId)).toMatchObject([{ balance: '0' }]);
});

test('production gets no test money', async () => {
  const { tenantId } = await makeTenant({ database }, { environment: 'production', funded: false });
  await expect(handlers.fund_sandbox_wallet({ tenantId }, services)).rejects.toThrow('sandbox');
  expect(await accounts(tenantId)).toEqual([]);
});
