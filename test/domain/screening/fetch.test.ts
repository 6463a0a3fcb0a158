import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchWatchlists } from '../../../src/domain/screening/fetch.ts';
import { loadConfig, type Config } from '../../../src/process/config.ts';
import { useCalls } from '../../support/calls.ts';
import { startHttpsServer, type TestHttpsServer } from '../../support/https-server.ts';
import { createTestAuthority } from '../../support/tls.ts';

const parts = useCalls();
let folder: string;
let server: TestHttpsServer;
let answer: RequestListener = (_request, response) => response.end();
let asked: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lists-'));
  const authority = await createTestAuthority();
  await writeFile(join(folder, 'ca.pem'), authority.pem);
  server = await startHttpsServer(await authority.issue(['localhost']), (request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const list = (day: string, ...names: readonly string[]): string =>
  `<sdnList><publshInformation><Publish_Date>${day}</Publish_Date><Record_Count>${names.length}</Record_Count></publshInformation>${names
    .map(
      (name, at) =>
        `<sdnEntry><uid>${at + 1}</uid><lastName>${name}</lastName><sdnType>Entity</sdnType></sdnEntry>`,
    )
    .join('')}</sdnList>`;

const gives = (text: string, status = 200, headers = {}): void => {
  answer = (_request, response) => {
    response.writeHead(status, headers);
    response.end(text);
  };
};

async function run(settings: Partial<Config> = {}): Promise<void> {
  const config = {
    ...parts.services.config,
    WATCHLIST_URLS: { ofac_sdn: `https://localhost:${server.port}/sdn.xml?all=1` },
    WEBHOOK_ALLOWED_HOSTS: ['localhost'],
    WEBHOOK_EXTRA_CA_FILE: join(folder, 'ca.pem'),
    ...settings,
  };
  asked = [];
  await fetchWatchlists({ ...parts.services, config });
}

/** The loads so far, the latest first. */
async function loads() {
  const { rows } = await parts.database.pool.query<{
    status: string;
    problem_code: string | null;
    loaded_by: string;
    entries: number | null;
  }>('SELECT status, problem_code, loaded_by, entries FROM watchlist_version ORDER BY id DESC');
  return rows;
}

it('asks nobody while no address is set', async () => {
  await run({ WATCHLIST_URLS: {} });
  expect([asked, await loads()]).toEqual([[], []]);
});

it('loads what an address gives, and sees that it is the same', async () => {
  gives(list('08/21/2026', 'FIRST', 'SECOND'));
  await run();
  expect(asked).toEqual(['/sdn.xml?all=1']);
  expect(await loads()).toEqual([
    { status: 'current', problem_code: null, loaded_by: 'the schedule', entries: 2 },
  ]);
  await run();
  expect((await loads()).map(({ status }) => status)).toEqual(['same', 'current']);
});

it.each([
  ['another status', /^not_fetched$/, () => gives('', 503)],
  [
    'a redirect, which is not followed',
    /^not_fetched$/,
    () => gives('', 302, { location: `https://localhost:${server.port}/other` }),
  ],
  ['something else', /./, () => gives('<html></html>')],
  ['a piece of the list', /./, () => gives(list('08/22/2026', 'A', 'B').slice(0, -40))],
])('refuses %s, and what was in use stays in use', async (_what, code, given) => {
  given();
  await run();
  expect(asked).toEqual(['/sdn.xml?all=1']);
  const [latest, ...others] = await loads();
  expect([latest?.status, others.filter(({ status }) => status === 'current')]).toEqual([
    'refused',
    [expect.objectContaining({ entries: 2 })],
  ]);
  expect(latest?.problem_code).toMatch(code);
});

it('reaches no host that is not public', async () => {
  gives(list('08/23/2026', 'FIRST', 'SECOND'));
  await run({ WEBHOOK_ALLOWED_HOSTS: [] });
  expect(asked).toEqual([]);
  expect((await loads())[0]).toMatchObject({ status: 'refused', problem_code: 'not_fetched' });
});

it.each([
  ['un=http://lists.example.org/un.xml'],
  ['own=https://lists.example.org/own.csv'],
  ['https://lists.example.org/un.xml'],
])('takes no address such as %s', (given) => {
  const env = { NODE_ENV: 'test', DATABASE_URL: 'postgresql://x/y', WATCHLIST_URLS: given };
  expect(() => loadConfig(env)).toThrow('WATCHLIST_URLS');
  const right = {
    ...env,
    WATCHLIST_URLS: 'un=https://a.example/u.xml  eu=https://b.example/e?x=y',
  };
  expect(loadConfig(right).WATCHLIST_URLS).toEqual({
    un: 'https://a.example/u.xml',
    eu: 'https://b.example/e?x=y',
  });
});
