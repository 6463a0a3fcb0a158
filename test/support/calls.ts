import { afterAll, beforeAll } from 'vitest';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import { isOperator, type Scope } from '../../src/access/scope.ts';
import { loadConfig } from '../../src/process/config.ts';
import {
  closeServices,
  createServices,
  type Call,
  type Services,
} from '../../src/process/services.ts';
import { testDatabase, type TestDatabase } from './database.ts';

/** What tests need that call the commands of the domain themselves. */
export interface Calls {
  readonly database: TestDatabase;
  readonly services: Services;
  /** A call with the scope of a key. */
  as(key: string): Promise<Call>;
}

/** Gives the tests of a file a database and the parts of a process, and takes both away at the end. */
export function useCalls(): Calls {
  let database: TestDatabase | undefined;
  let services: Services | undefined;
  beforeAll(async () => {
    database = await testDatabase();
    const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: database.url };
    services = createServices(loadConfig(env), 'api');
  });
  afterAll(async () => {
    if (services !== undefined) await closeServices(services);
    await database?.drop();
  });
  const made = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('made before the first test');
    return part;
  };
  return {
    get database() {
      return made(database);
    },
    get services() {
      return made(services);
    },
    async as(key) {
      const parts = made(services);
      const found = await createAuthenticate(parts.pool)(`Bearer ${key}`);
      if (found === null || isOperator(found.caller)) throw new Error('the key does not work');
      return { services: parts, scope: found.caller };
    },
  };
}

/** The membership of a member's scope. */
export function memberId({ actor }: Scope): string {
  if (actor.type !== 'member') throw new Error('not a member');
  return actor.membership_id;
}
