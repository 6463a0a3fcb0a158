import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createGraphql } from '../../schema/server.ts';
import { createApp } from '../../rest/app.ts';
import { createHttpServer } from '../../rest/http/server.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import { createPool } from '../../src/db/pool.ts';
import { sign } from '../../src/crypto/signature.ts';
import { loadConfig } from '../../src/process/config.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import { execute } from '../support/given-server.ts';
import { makePayeeLink, type PayeeLink } from '../support/payee-link.ts';
import { folderLike, mountSmallDisk } from '../support/small-disk.ts';

/*
 * A database whose disk is really full: its tables are on a small file system, which a file of ours fills. The
 * write-ahead log is on another one; a server whose log has no room ends, and is a database that is away.
 */
const root = join(import.meta.dirname, '../..');
const disk = mountSmallDisk(96);
/** More than the requests that fit into pages that are half empty. */
const most = 400;

describe.skipIf(disk === null || inject('citusNodes').length > 0)(
  'a database whose disk is full',
  () => {
    const space = `small_${randomUUID().replaceAll('-', '')}`;
    let database: TestDatabase;
    let services: Services;
    let url: string;
    let close: () => Promise<void>;
    let tenant: TestTenant;
    let payee: TestPayee;
    let link: PayeeLink;
    let worker: ChildProcess;
    let lines: Record<string, unknown>[] = [];

    const call = async (path: string, given: RequestInit = {}) => {
      const answer = await fetch(url + path, { redirect: 'manual', ...given });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    };
    const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      call(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${tenant.key}`,
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });

    beforeAll(async () => {
      database = await testDatabase();
      const admin = inject('postgresUrl');
      const { rows } = await database.pool.query<{ folder: string }>(
        `SELECT current_setting('data_directory') AS folder`,
      );
      await database.pool.end();
      const name = new URL(database.url).pathname.slice(1);
      if (disk === null) throw new Error('no disk');
      const folder = folderLike(disk, 'space', rows[0]?.folder ?? '');
      await execute(admin, `CREATE TABLESPACE ${space} LOCATION '${folder}'`);
      await execute(admin, `ALTER DATABASE ${name} SET TABLESPACE ${space}`);

      services = createServices(
        loadConfig({
          NODE_ENV: 'test',
          LOG_LEVEL: 'silent',
          DATABASE_URL: database.url,
          DATABASE_POOL_SIZE: '6',
          COLLECTION_LINK_RATE_LIMIT: '1000000',
          COLLECTION_ADDRESS_RATE_LIMIT: '1000000',
          RATE_LIMIT_THIN: '1000000',
          RATE_LIMIT_GENEROUS: '1000000',
          REGISTRATION_RATE_LIMIT: '1000000',
          COLLECTION_MAILS_PER_DAY_THIN: '1000000',
          COLLECTION_MAILS_PER_DAY: '1000000',
        }),
        'api',
      );
      services.watch.start();
      const graphql = createGraphql(services);
      const server = createHttpServer(
        createApp(services, createAuthenticate(services.pool), graphql),
        services.config.PUBLIC_URL,
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo; // a TCP server has one while it listens
      url = `http://127.0.0.1:${port}`;
      close = async () => {
        await graphql.stop();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await closeServices(services);
      };
      tenant = await makeTenant({ database: { pool: owner() } });
      const rest = async (
        _method: string,
        path: string,
        given: { key?: string; body?: unknown } = {},
      ) => {
        const answer = await post(path, given.body);
        return { ...answer, body: JSON.parse(answer.text) };
      };
      payee = await makePayee({ rest } as never, tenant.key);
      link = await makePayeeLink({ rest, services } as never, tenant);
      worker = startWorker();
      await eventually(async () => said('worker started'));
    });
    afterAll(async () => {
      disk?.empty();
      worker.kill('SIGKILL');
      const ended = once(worker, 'exit');
      worker.kill('SIGKILL');
      await ended;
      await close();
      await ownerPool?.end();
      const admin = inject('postgresUrl');
      const name = new URL(database.url).pathname.slice(1);
      await execute(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await execute(admin, `DROP TABLESPACE ${space}`);
      disk?.unmount();
    });

    let ownerPool: Services['pool'] | undefined;
    function owner(): Services['pool'] {
      ownerPool ??= createOwnerPool();
      return ownerPool;
    }
    const createOwnerPool = () => createPool(database.ownerUrl, 2, 'test');

    function startWorker(): ChildProcess {
      const child = spawn(process.execPath, [join(root, 'src/worker.ts')], {
        env: { NODE_ENV: 'test', DATABASE_URL: database.url, WORKER_HEARTBEAT_MS: '500' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let rest = '';
      child.stdout.on('data', (bytes: Buffer) => {
        const parts = (rest + bytes.toString()).split('\n');
        rest = parts.pop() ?? '';
        for (const part of parts) lines.push(JSON.parse(part) as Record<string, unknown>);
      });
      return child;
    }
    const said = (message: string) => lines.findLast(({ msg }) => msg === message);

    function event(): Promise<Awaited<ReturnType<typeof call>>> {
      const body = JSON.stringify({
        id: `evt_${randomUUID()}`,
        type: 'payout.settled',
        occurred_at: new Date().toISOString(),
        data: {
          payout_id: 'po_unknown',
          reference: `${tenant.tenantId}.none`,
          amount_minor: 1,
          currency: 'USD',
          status: 'settled',
          rail_ref: 'none',
          expected_delivery_date: null,
          failure: null,
        },
      });
      const at = Math.floor(Date.now() / 1_000);
      const signature = sign(services.config.SIMULATOR_WEBHOOK_SECRET, at, Buffer.from(body));
      return post('/provider-webhooks/simulator', body, { 'X-Service-Signature': signature });
    }

    const person = () => ({
      beneficiary_type: 'person',
      email: `${randomUUID()}@example.com`,
      first_name: 'Ada',
      last_name: 'Lovelace',
      country_of_residence: 'US',
    });
    const invited = () => {
      const { country_of_residence: _country, ...who } = person();
      return who;
    };
    /** Requests that write, and how each is answered where there is room. */
    const writes: [string, () => Promise<Awaited<ReturnType<typeof call>>>, number][] = [
      ['a payout', () => post('/v1/payouts', payoutBody(payee)), 201],
      [
        'payouts in bulk',
        () => post('/v1/payouts/bulk', { payouts: [payoutBody(payee), payoutBody(payee)] }),
        200,
      ],
      ['a payee', () => post('/v1/beneficiaries', person()), 201],
      [
        'an invitation',
        () => post('/v1/beneficiaries/collection-invites', { invites: [invited()] }),
        200,
      ],
      [
        'GraphQL',
        () =>
          post('/graphql', {
            query:
              'mutation ($input: BeneficiaryCreateInput!) { beneficiaryCreate(input: $input) { id } }',
            variables: {
              input: {
                beneficiaryType: 'person',
                email: `${randomUUID()}@example.com`,
                firstName: 'Ada',
                lastName: 'Lovelace',
                countryOfResidence: 'US',
              },
            },
          }),
        200,
      ],
      [
        'a page',
        () =>
          call(`${link.path}/about`, {
            method: 'POST',
            body: new URLSearchParams({
              first_name: 'Ada',
              last_name: 'x'.repeat(60),
              country_of_residence: 'DE',
              date_of_birth_day: '10',
              date_of_birth_month: '12',
              date_of_birth_year: '1979',
            }),
          }),
        303,
      ],
      ['an event of the provider', event, 200],
      [
        'a registration',
        () =>
          post('/v1/registration', { email: `ada.${randomUUID()}@gmail.com`, company_name: 'Ada' }),
        201,
      ],
    ];

    test('every write works while there is room', async () => {
      for (const [name, send, well] of writes) {
        const { status, text } = await send();
        expect({ name, status, text }).toMatchObject({ name, status: well });
      }
      expect((await call('/readyz')).status).toBe(200);
    });

    test('every write is 503 once there is none, nothing is half there, and everything goes on afterwards', async () => {
      disk?.fill();
      for (const [name, send, well] of writes) {
        let refused = null;
        for (let tries = 0; tries < most && refused === null; tries += 1) {
          const answer = await send();
          // What fits into a page that has room is taken.
          expect(answer.text, name).not.toMatch(/internal_error|validation_failed/);
          if (answer.status === well && !answer.text.includes('service_unavailable')) continue;
          refused = answer;
        }
        expect({ name, status: refused?.status }).toEqual({ name, status: 503 });
        expect(Number(refused?.headers.get('retry-after')), name).toBeGreaterThanOrEqual(1);
        const told = name === 'a page' ? '<html lang="en"' : 'service_unavailable';
        expect(refused?.text, name).toContain(told);
      }
      expect(await call('/readyz')).toMatchObject({
        status: 503,
        text: expect.stringContaining('the database has no room to write'),
      });
      expect((await call('/healthz')).status).toBe(200);
      // What reads is answered.
      const list = await call('/v1/payouts', {
        headers: { authorization: `Bearer ${tenant.key}` },
      });
      expect(list.status).toBe(200);

      // Until the queue's own table has no room, so that the worker cannot take what it finds.
      const add = `SELECT graphile_worker.add_job('delete_expired', '{}') FROM generate_series(1, 50)`;
      for (let tries = 0; tries < most; tries += 1) {
        const done = await owner()
          .query(add)
          .then(
            () => true,
            () => false,
          );
        if (!done) break;
      }
      await eventually(async () => said('the database cannot write: a disk of it is full'));
      const held = await eventually(async () => said('the worker begins another run'));
      expect(held).toBeDefined();
      expect(worker.exitCode).toBeNull();

      lines = [];
      disk?.empty();
      await eventually(async () => (await call('/readyz')).status === 200);
      for (const [name, send, well] of writes) {
        const { status, text } = await send();
        expect({ name, status, text }).toMatchObject({ name, status: well });
      }
      await eventually(async () => said('worker started'));
      await eventually(async () => {
        const { rows } = await owner().query<{ left: number }>(
          `SELECT count(*)::integer AS left FROM graphile_worker.jobs WHERE task_identifier = 'delete_expired' AND key IS NULL`,
        );
        return rows[0]?.left === 0;
      });
      expect(worker.exitCode).toBeNull();
      const halves = await owner().query(
        `SELECT p.id FROM payout p WHERE NOT EXISTS (
         SELECT 1 FROM payout_transition t WHERE t.tenant_id = p.tenant_id AND t.payout_id = p.id
       )`,
      );
      expect(halves.rows).toEqual([]);
    });
  },
);
