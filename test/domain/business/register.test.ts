import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/process/config.ts';
import { registerBusiness } from '../../../src/domain/business/register.ts';
import { newId } from '../../../src/values/ids.ts';
import { closeServices, createServices, type Services } from '../../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let services: Services;
beforeAll(async () => {
  database = await testDatabase();
  const settings = { NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: database.url };
  services = createServices(loadConfig(settings), 'api');
});
afterAll(async () => {
  await closeServices(services);
  await database.drop();
});

/** The pool, with the connection lost at the first `losses` commits: before or after they took. */
function losingCommits(losses: number, took: boolean): Services {
  let left = losses;
  const lose = (client: PoolClient) =>
    new Proxy(client, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          if (property !== 'query' || args[0] !== 'COMMIT' || left === 0) {
            return value.apply(target, args) as unknown;
          }
          left -= 1;
          await target.query(took ? 'COMMIT' : 'ROLLBACK');
          throw new Error('Connection terminated unexpectedly');
        };
      },
    });
  const pool = new Proxy(services.pool, {
    get(target, property) {
      if (property === 'connect') return async () => lose(await target.connect());
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { ...services, pool };
}

const input = () => ({ email: `ada@company-${randomUUID()}.com`, companyName: 'Lost & Found' });

async function stored(businessId: string): Promise<{ keys: number; jobs: number }> {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM api_key WHERE business_id = $1) AS keys,
      (SELECT count(*)::int FROM graphile_worker._private_jobs
       WHERE payload ->> 'businessId' = $1) AS jobs`,
    [businessId],
  );
  return rows[0];
}

test('a commit whose answer is lost is read back: the caller gets the key', async () => {
  const registered = await registerBusiness(losingCommits(1, true), input());
  expect(registered.apiKey.key).toMatch(/^pos_sandbox_/);
  expect(await stored(registered.business.id)).toEqual({ keys: 1, jobs: 1 });
});

test('a commit that did not take is tried again, with one registration in the end', async () => {
  const registered = await registerBusiness(losingCommits(2, false), input());
  expect(await stored(registered.business.id)).toEqual({ keys: 1, jobs: 1 });
});

test('a connection that stays lost is an error, and leaves nothing', async () => {
  const given = input();
  const lost = registerBusiness(losingCommits(10, false), given);
  await expect(lost).rejects.toThrow('Connection terminated');
  const again = await registerBusiness(services, given);
  expect(await stored(again.business.id)).toEqual({ keys: 1, jobs: 1 });
});

test('a commit whose answer is lost is read back for an invited address too, with a user of its own', async () => {
  const given = input();
  const userId = newId('user');
  await database.pool.query('INSERT INTO app_user (id, email, email_key) VALUES ($1, $2, $2)', [
    userId,
    given.email,
  ]);
  const registered = await registerBusiness(losingCommits(1, true), given);
  expect(registered.user).toMatchObject({ email: given.email });
  expect(registered.user.id).not.toBe(userId);
  expect(registered.membership.userId).toBe(registered.user.id);
  expect(await stored(registered.business.id)).toEqual({ keys: 1, jobs: 1 });
  const again = registerBusiness(losingCommits(1, false), given);
  await expect(again).rejects.toMatchObject({ code: 'EMAIL_ALREADY_REGISTERED' });
});

test('a lost connection does not hide that the address is taken', async () => {
  const given = input();
  await registerBusiness(services, given);
  const again = registerBusiness(losingCommits(1, false), given);
  await expect(again).rejects.toMatchObject({ code: 'EMAIL_ALREADY_REGISTERED' });
});
