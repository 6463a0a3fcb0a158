import { beforeAll, describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { jobScope } from '../../src/access/system.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { draftConnection } from '../../src/domain/bank-connection/draft.ts';
import { connectionFacts } from '../../src/domain/bank-connection/input.ts';
import { requireOwnFolder } from '../../src/domain/bank-connection/own-folder.ts';
import { insertConnection } from '../../src/domain/bank-connection/write-store.ts';
import { newId } from '../../src/values/ids.ts';
import { europeanBank } from '../support/banking.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { ask, codeOf, detailsOf, type documents } from '../support/operator-banks.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { useHarness } from '../support/use-harness.ts';

let operator: { id: string; key: string };
const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', BANK_FOLDERS: '/nonexistent/banks' },
});
beforeAll(async () => {
  operator = await issueOperatorKey(harness.database.pool, 'On call');
});

const run = (document: keyof typeof documents, variables: Record<string, unknown>) =>
  ask(harness, operator.key, document, variables);

const connect = ({ businessId }: TestTenant, transport: object) =>
  run('connect', { businessId, ...europeanBank, transport });

const folder = (path: string) => ({ kind: 'folder', folder: path });
const taken = (...fields: string[]) => fields.map((field) => `transport.${field} duplicate`);

/** A server of its own each time, by its name and by its key. */
const server = () => {
  const name = newId('request').slice(-20);
  return {
    ...europeanBank.transport,
    host: `${name}.bank.example`,
    username: 'acme',
    hostKey: `SHA256:${name.padEnd(43, 'x')}`,
  };
};

/** Connects and returns the id; fails where it is refused. */
async function connected(tenant: TestTenant, transport: object): Promise<string> {
  const answer = await connect(tenant, transport);
  if (answer.body.data?.done == null) throw new Error(answer.text);
  return answer.body.data.done.id as string;
}

describe('the folders of a connection', () => {
  it('are not the same one, nor one in the other', async () => {
    const tenant = await makeTenant(harness);
    for (const [outFolder, inFolder] of [
      ['bank', 'bank'],
      ['bank', '/bank'],
      ['a//b/.', 'a/b/'],
      ['bank/in/archive', 'bank/in'],
      ['bank', 'bank/in'],
      ['Bank', 'bank'],
      ['/home/acme/bank', 'bank'],
    ]) {
      const answer = await connect(tenant, { ...server(), outFolder, inFolder });
      expect(detailsOf(answer), JSON.stringify([outFolder, inFolder])).toEqual(taken('inFolder'));
    }
    await connected(tenant, { ...server(), outFolder: 'bank/out', inFolder: 'bank/in' });
  });

  it('of a mounted directory are shared with no other one, whoever has it', async () => {
    const [one, other] = [await makeTenant(harness), await makeTenant(harness)];
    const id = await connected(one, folder('shared/hausbank'));
    for (const path of ['shared//./hausbank/', 'shared', 'shared/hausbank/out', 'Shared/Hausbank'])
      expect(detailsOf(await connect(other, folder(path))), path).toEqual(taken('folder'));
    await connected(other, folder('shared/hausbank2'));
    await run('change', {
      businessId: one.businessId,
      connectionId: id,
      version: 1,
      status: 'closed',
    });
    await connected(other, folder('shared/hausbank'));
  });

  it('at a server are shared neither as in nor as out, under whichever name and spelling', async () => {
    const [one, other] = [await makeTenant(harness), await makeTenant(harness)];
    const theirs = { ...server(), outFolder: 'bank/out', inFolder: 'bank/in' };
    await connected(one, theirs);
    const free = { outFolder: 'else/out', inFolder: 'else/in' };
    const otherName = { host: 'alias.bank.example', port: 2222 };
    const otherKey = { hostKey: `SHA256:${'B'.repeat(43)}` };
    for (const [given, ...fields] of [
      [{}, 'outFolder', 'inFolder'],
      [{ ...free, inFolder: '/bank//out/' }, 'inFolder'],
      [{ ...free, outFolder: './bank/in' }, 'outFolder'],
      [{ ...free, inFolder: 'bank' }, 'inFolder'],
      [{ ...free, inFolder: 'bank/in/archive' }, 'inFolder'],
      [{ ...free, inFolder: '/home/acme/bank/out' }, 'inFolder'],
      [{ ...free, ...otherName, inFolder: 'bank/out' }, 'inFolder'],
      [
        { ...free, ...otherKey, host: `${theirs.host.toUpperCase()}.`, inFolder: 'bank/in' },
        'inFolder',
      ],
    ] as const) {
      const answer = await connect(other, { ...theirs, ...given });
      expect(detailsOf(answer), JSON.stringify(given)).toEqual(taken(...fields));
      for (const secret of [one.businessId, one.tenantId])
        expect(answer.text).not.toContain(secret);
    }
    await connected(other, { ...theirs, username: 'another' });
    await connected(other, { ...theirs, ...free });
  });

  it('are compared when a connection is changed, and one that shares already can be paused', async () => {
    const [one, other] = [await makeTenant(harness), await makeTenant(harness)];
    const theirs = server();
    await connected(one, theirs);
    const connectionId = await connected(other, server());
    const { businessId } = other;
    const change = { businessId, connectionId, version: 1 };
    const moved = { ...theirs, outFolder: 'in', inFolder: 'else' };
    expect(detailsOf(await run('change', { ...change, transport: moved }))).toEqual(
      taken('outFolder'),
    );
    await harness.database.pool.query(
      `UPDATE bank_connection SET transport_settings =
         (SELECT o.transport_settings FROM bank_connection o WHERE o.tenant_id = $1)
       WHERE id = $2`,
      [await productionOf(one), connectionId],
    );
    const paused = await run('change', { ...change, status: 'paused' });
    expect(paused.body.data.done.connection).toMatchObject({ status: 'paused', version: 2 });
    expect(detailsOf(await run('change', { ...change, version: 2, status: 'active' }))).toEqual(
      taken('outFolder', 'inFolder'),
    );
  });

  it('of one that is being made are seen by another, which waits for it', async () => {
    const [one, other] = [await makeTenant(harness), await makeTenant(harness)];
    const theirs = { ...server(), outFolder: 'bank/out', inFolder: 'bank/in' };
    const { services, database } = harness;
    const scope = await jobScope(services.pool, await productionOf(one), {
      type: 'system',
      name: 'test',
    });
    const facts = connectionFacts.parse({ ...europeanBank, transport: theirs });
    const row = await draftConnection({ scope, services }, facts);
    const { pending } = await inTransaction(database.pool, async (client) => {
      await requireOwnFolder(client, row);
      await insertConnection(client, scope, row);
      const asked = connect(other, { ...theirs, outFolder: 'else', inFolder: 'bank/out' });
      await sessionsWait(database.pool, 1);
      return { pending: asked };
    });
    expect(detailsOf(await pending)).toEqual(taken('inFolder'));
  });

  it('of two that are made at once are those of one', async () => {
    const tenant = await makeTenant(harness);
    const { pending } = await inTransaction(harness.database.pool, async (client) => {
      await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('bank folders', 0))`);
      const asked = ['raced', './raced/'].map((path) => connect(tenant, folder(path)));
      await sessionsWait(harness.database.pool, 2);
      return { pending: asked };
    });
    const found = (await Promise.all(pending)).map((answer) => detailsOf(answer).join());
    expect(found.toSorted()).toEqual(['', 'transport.folder duplicate']);
  });
});

async function productionOf({ businessId }: TestTenant): Promise<string> {
  const { rows } = await harness.database.pool.query<{ id: string }>(
    `SELECT id FROM tenant WHERE business_id = $1 AND environment = 'production'`,
    [businessId],
  );
  return rows[0]?.id ?? '';
}

describe('what opens a server', () => {
  it('is given anew with another host, port, user or host key, and stays with other folders', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const transport = server();
    const connectionId = await connected(tenant, transport);
    const kept = { ...transport, password: undefined };
    for (const other of [
      { host: 'mine.example' },
      { port: 2222 },
      { username: 'somebody' },
      { hostKey: `SHA256:${'C'.repeat(43)}` },
    ]) {
      const given = { businessId, connectionId, version: 1, transport: { ...kept, ...other } };
      const answer = await run('change', given);
      expect(codeOf(answer)).toBe('validation_failed');
      expect(detailsOf(answer)).toEqual(['transport.password required']);
    }
    const folders = { ...kept, outFolder: 'to-bank', inFolder: 'from-bank' };
    const first = await run('change', { businessId, connectionId, version: 1, transport: folders });
    expect(first.body.data.done).toMatchObject({
      hasCredentials: true,
      connection: { version: 2 },
    });
    const moved = { ...folders, host: 'new.bank.example', password: 'another one' };
    const second = await run('change', { businessId, connectionId, version: 2, transport: moved });
    expect(second.body.data.done).toMatchObject({
      hasCredentials: true,
      transportFacts: expect.arrayContaining(['host=new.bank.example']),
    });
  });
});
