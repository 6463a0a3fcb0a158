import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sign } from '../../src/crypto/signature.ts';
import { blocksOf } from '../docs/blocks.ts';
import { longTestMs } from '../support/patience.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';
import { makeConsumer, type Consumer } from './package.ts';

const harness = useHarness();
const tenant = useTenant(harness);

const blocks = blocksOf('client/README.md').filter(({ language }) => language === 'ts');
const names = ['first.ts', 'errors.ts', 'lists.ts', 'webhooks.ts', 'besides.ts'];
const page = Object.fromEntries(blocks.map(({ text }, index) => [names[index] ?? '', text]));
const types = readFileSync(join(import.meta.dirname, 'programs/consumer.ts'), 'utf8').replace(
  '../../../client/src/index.ts',
  'payout-orchestration-client',
);

let consumer: Consumer;
beforeAll(async () => {
  consumer = await makeConsumer({ ...page, 'consumer.ts': types });
}, longTestMs);
afterAll(() => consumer.close());

describe('the package', { timeout: longTestMs }, () => {
  test('compiles under strict, the blocks of its page and what must not compile too', async () => {
    expect(blocks).toHaveLength(names.length);
    expect(await consumer.compile()).toBe('');
  });

  test('compiles as a bundler resolves it, with the types of a browser alone', async () => {
    const browser = {
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
      noEmit: true,
    };
    const said = await consumer.compile(browser);
    // The page reads its settings from `process.env`, which a browser does not have.
    expect(said.split('\n').filter((line) => line !== '' && !line.includes("'process'"))).toEqual(
      [],
    );
  });
});

describe('the blocks of its page, run', { timeout: longTestMs }, () => {
  const env = () => ({ BASE_URL: harness.baseUrl, API_KEY: tenant.key });
  beforeAll(async () => {
    await consumer.compile();
  }, longTestMs);

  test('the first payout settles, and then the lists have it', async () => {
    const [, id = 'none'] =
      /(pay_\w+) is settled/.exec(await consumer.run('first.js', env())) ?? [];
    expect(id).toMatch(/^pay_/);
    const listed = await consumer.run('lists.js', env());
    expect(listed).toContain(`${id} 125000 USD`);
    expect(listed).toContain('a page of 1');
    expect(await consumer.run('besides.js', env())).toMatch(/^\d+ bytes\n1\n$/);
  });

  test('the error is told apart by its code', async () => {
    expect(await consumer.run('errors.js', env())).toMatch(
      /^no such payout \(req_\w+\), see http.*#PAYOUT_NOT_FOUND\n$/,
    );
  });

  test('the handler takes a signed delivery and refuses another', async () => {
    const secret = 'whsec_sandbox_of_the_page';
    vi.stubEnv('WEBHOOK_SECRET', secret);
    const program = await import(pathToFileURL(join(consumer.folder, 'out/webhooks.js')).href);
    vi.unstubAllEnvs();
    const body = '{"id":"evt_1","type":"payout.settled","data":{"payout_id":"pay_1"}}';
    const deliver = (key: string) => {
      const signature = sign(key, Math.floor(Date.now() / 1_000), Buffer.from(body));
      const headers = { 'X-Service-Signature': signature };
      return program.receive(new Request('https://x/', { method: 'POST', body, headers }));
    };
    expect((await deliver(secret)).status).toBe(204);
    expect((await deliver('whsec_sandbox_other')).status).toBe(401);
  });
});
