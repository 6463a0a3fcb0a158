import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { remoteEngine } from '../../../src/domain/screening/engines/remote.ts';
import { watchman } from '../../../src/domain/screening/engines/watchman.ts';
import { yente } from '../../../src/domain/screening/engines/yente.ts';
import type { ScreeningOrder } from '../../../src/domain/screening/port.ts';
import { loadConfig } from '../../../src/process/config.ts';

interface Asked {
  readonly method: string | undefined;
  readonly url: string;
  readonly key: string | undefined;
  readonly body: string;
}

let server: Server;
let url = '';
let asked: Asked[] = [];
/** What each path answers; a number is a status. */
let answers: Record<string, unknown> = {};

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const body = Buffer.concat(chunks).toString('utf8');
      asked.push({ method: request.method, url: path, key: request.headers.authorization, body });
      const answer = answers[path.split('?')[0] ?? ''] ?? 404;
      response.statusCode = typeof answer === 'number' ? answer : 200;
      response.end(typeof answer === 'number' ? '' : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
});

const order: ScreeningOrder = {
  subject: {
    type: 'person',
    names: ['Ada Lovelace'],
    birth: { from: '1990-04-01', to: '1990-04-01', about: false },
    countries: ['US'],
    identifiers: ['T-1'],
  },
  kinds: ['ofac_sdn', 'un'],
  threshold: 0.75,
};
const today = new Date().toISOString();
const compact = today.replaceAll(/[-:]/g, '').slice(0, 8);
const place = () => ({ url, key: 'k-1', staleDays: 14, timeoutMs: 2_000 });

describe('yente', () => {
  const catalog = (isCurrent = true) => ({
    datasets: [
      {
        name: 'us_ofac_sdn',
        version: `${compact}080000-abc`,
        index_version: `${compact}080000-abc`,
        index_current: isCurrent,
      },
      {
        name: 'un_sc_sanctions',
        version: '20200101080000-abc',
        index_version: '20200101080000-abc',
        index_current: true,
      },
      { name: 'something_else', version: 'x' },
    ],
  });
  const result = (score: number, datasets: readonly string[]) => ({
    id: `NK-${score}`,
    schema: 'Person',
    datasets,
    score,
    properties: {
      name: ['Ada LOVELACE'],
      weakAlias: ['The Countess'],
      birthDate: ['1990-04'],
      country: ['us'],
      program: ['SDGT'],
    },
  });
  const found = (...results: readonly object[]) => ({
    responses: { payee: { status: 200, results } },
  });

  it('is asked for the subject, and its answer is mapped, explained and sorted', async () => {
    answers = {
      '/catalog': catalog(),
      '/match/sanctions': found(
        result(0.8, ['us_ofac_sdn']),
        result(0.97, ['us_ofac_sdn', 'un_sc_sanctions']),
        result(0.99, ['eu_fsf']),
        result(0.5, ['us_ofac_sdn']),
      ),
    };
    const answer = await remoteEngine(yente, place()).screen(order);
    expect(answer.hits.map(({ kind, score }) => [kind, score])).toEqual([
      ['ofac_sdn', 0.97],
      ['un', 0.97],
      ['ofac_sdn', 0.8],
    ]);
    expect(answer.hits[0]).toMatchObject({
      subjectName: 'Ada Lovelace',
      listedName: 'Ada LOVELACE',
      ofac: 100,
      entry: { type: 'person', places: ['US'], births: [{ from: '1990-04-01', to: '1990-04-30' }] },
    });
    expect(answer.hits[0]?.reasons.length).toBeGreaterThan(1);
    const question = asked.find(({ method }) => method === 'POST');
    expect(question?.key).toBe('ApiKey k-1');
    expect(JSON.parse(question?.body ?? '')).toEqual({
      queries: {
        payee: {
          schema: 'Person',
          properties: {
            name: ['Ada Lovelace'],
            birthDate: ['1990-04-01'],
            country: ['us'],
            idNumber: ['T-1'],
          },
        },
      },
    });
    // The list of the United Nations is of 2020.
    expect(answer.lists.map(({ kind, state }) => [kind, state])).toEqual([
      ['ofac_sdn', 'current'],
      ['un', 'stale'],
    ]);
    expect([answer.incomplete, answer.answered]).toEqual([true, ['ofac_sdn', 'un']]);
  });

  it('says that a list is old where it knows of a newer one', async () => {
    answers = { '/catalog': catalog(false) };
    const engine = remoteEngine(yente, place());
    const [list] = await engine.standings(['ofac_sdn']);
    expect(list?.state).toBe('stale');
    expect(await engine.versions()).toEqual({
      ofac_sdn: `${compact}080000-abc`,
      un: '20200101080000-abc',
    });
  });
});

describe('watchman', () => {
  const listinfo = {
    lists: { us_ofac: 18_000, un_csl: 0, us_tel: 3 },
    listHashes: { us_ofac: 'f00' },
    endedAt: today,
  };

  it('is asked for the subject, and its answer is mapped', async () => {
    answers = {
      '/v2/listinfo': listinfo,
      '/v2/search': {
        entities: [
          {
            name: 'Ada LOVELACE',
            entityType: 'person',
            sourceList: 'us_ofac',
            sourceID: '12345',
            match: 0.93,
            person: {
              altNames: ['Countess'],
              birthDate: '1990-04-01T00:00:00Z',
              governmentIDs: [{ type: 'passport', country: 'US', identifier: 'T-1' }],
            },
            business: null,
            organization: null,
            addresses: [{ country: 'US' }],
            sanctionsInfo: { programs: ['SDGT'] },
          },
        ],
      },
    };
    const answer = await remoteEngine(watchman, place()).screen(order);
    expect(answer.hits).toMatchObject([
      {
        kind: 'ofac_sdn',
        score: 0.93,
        entry: { id: '12345', programmes: ['SDGT'], births: [{ from: '1990-04-01' }] },
      },
    ]);
    expect(asked.at(-1)?.url).toBe(
      '/v2/search?name=Ada+Lovelace&type=person&minMatch=0.75&limit=50&birthDate=1990-04-01',
    );
    // A list without entries was not read.
    expect(answer.lists.map(({ kind, state }) => [kind, state])).toEqual([
      ['ofac_sdn', 'current'],
      ['un', 'never'],
    ]);
    expect([answer.incomplete, answer.answered]).toEqual([true, ['ofac_sdn']]);
  });
});

describe.each([
  ['yente', yente],
  ['watchman', watchman],
])('%s that is away', (_name, dialect) => {
  it.each([
    ['refuses', { '/catalog': 500, '/v2/listinfo': 500 }],
    ['says something else', { '/catalog': { x: 1 }, '/v2/listinfo': { x: 1 } }],
    ['is not there', {}],
  ])('is an incomplete answer where it %s', async (_what, given) => {
    answers = given;
    const answer = await remoteEngine(dialect, place()).screen(order);
    expect(answer).toMatchObject({ incomplete: true, answered: [], hits: [] });
    expect(answer.lists.map(({ state }) => state)).toEqual(['failed', 'failed']);
    await expect(remoteEngine(dialect, place()).versions()).rejects.toThrow();
  });
});

it('is not chosen without an address', () => {
  const env = { NODE_ENV: 'test', DATABASE_URL: 'postgresql://x/y', SCREENING_ENGINE: 'yente' };
  expect(() => loadConfig(env)).toThrow('SCREENING_ENGINE_URL: required with SCREENING_ENGINE');
});
