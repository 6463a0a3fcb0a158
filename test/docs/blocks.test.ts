import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastEmbeddedUrls } from '../../src/db/embedded-url.ts';
import { createStack, type Stack } from '../support/stack.ts';
import { longTestMs } from '../support/patience.ts';
import { type Block, blocksOf } from './blocks.ts';
import { differences, lastJson } from './shown-answer.ts';
import { docs, guides } from './links.ts';

/*
 * The code of the pages, run as a reader runs it, in the order of the pages: the commands against one
 * `npm start` in an empty folder, the SQL against its database.
 */

const root = join(docs, '..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'simulator/README.md',
  'client/README.md',
  'prisma/operator/README.md',
  ...readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...guides,
];
const blocks = pages.flatMap(blocksOf);

/** What is shown and not run. */
const shown = new Set(['text', 'json', 'mermaid', 'ini']);

/** Languages, or all blocks of a page, that another test runs. */
const runBy: Readonly<Record<string, string>> = {
  js: 'test/docs/verifiers.test.ts',
  ts: 'test/docs/providers.test.ts',
  // Those of docs/providers.md by test/docs/providers.test.ts.
  graphql: 'test/docs/dashboards.test.ts',
  'prisma/operator/README.md': 'test/ops/readme.test.ts',
  'docs/runbooks.md': 'test/ops/readme.test.ts',
  'client/README.md': 'test/client/consumer.test.ts',
  'docs/lost-and-leaked-keys.md': 'test/domain/encryption/lost-key.test.ts',
  'docs/verify-an-approval.md': 'test/domain/step-up/proof.test.ts',
};

/** Blocks that this test cannot run, with the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  'README.md: npm ci && npm start   # everything on an embedded PostgreSQL: API, worker, provider simulator, mailbox':
    'CI begins with `npm ci`, this file starts `npm start`, and `npm test` is what runs this file',
  'CONTRIBUTING.md: npm ci        # also makes generated/: the Prisma client, the console, the bundle, the pages of /docs':
    'as above; test/chaos/demo-kill.test.ts runs the demo',
  'CONTRIBUTING.md: npm run check                      # every check, with its time; goes on after a failure':
    'these are the whole of CI',
  'simulator/README.md: node simulator/main.ts': 'it runs until it is stopped; `npm start` runs it',
  'docs/operating.md: node src/migrate.ts   # on a new cluster: it makes the roles':
    'it restores a cluster; test/ops/restore-drill.test.ts runs it where pg_dump 18 is installed',
  'docs/operating.md: docker compose --profile sandbox up':
    'it needs Docker and a registry; test/tools/compose.test.ts reads the file',
  'docs/operating.md: npm ci && npm prune --omit=dev   # the console and the bundle are built with development dependencies':
    'it needs a database, a name and secrets of production; test/walk/production.test.ts walks through production',
  'docs/operating.md: useradd --system --shell /usr/sbin/nologin payouts':
    'it changes the machine and needs systemd; test/tools/supervisors.test.ts reads the units',
  'docs/operating.md: export OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 OTEL_SERVICE_NAME=payouts-api':
    'it runs until it is stopped; test/process/tracing.test.ts starts the programs so, with a collector',
  "docs/tenants.md: CREATE POLICY tenant ON payout TO payouts_service USING (tenant_id = current_setting('app.tenant', true));":
    'the migration makes it; test/db/tenant.test.ts holds it',
  "docs/tenants.md: SELECT p.tenant_id, p.id FROM across.payout p WHERE p.state = 'approved' ORDER BY p.updated_at LIMIT 500":
    'it finds nothing when nothing stands still; test/db/tenant.test.ts reads the views',
  'docs/tenants.md: BEGIN;':
    'it names a tenant of the reader; test/db/tenant.test.ts does the same',
  'docs/webhooks.md: npx payouts login':
    'it asks for a key, and one runs until it is stopped; test/client/command-line.test.ts runs them',
  'docs/screening.md: npm run ops -- load-watchlist un consolidated.xml':
    "the lists are their publishers' own; test/ops/load-watchlist.test.ts loads some",
  'docs/citus.md: node src/migrate.ts':
    'it needs a Citus cluster; on one the tests distribute their databases so (test/support/given-server.ts)',
  'docs/citus.md: TEST_DATABASE_URL=postgresql://postgres@127.0.0.1:5432/postgres npx vitest run test/domain/payout':
    'it needs a Citus cluster, and runs these tests',
};

const isRun = ({ page, language, name }: Block): boolean =>
  !shown.has(language) &&
  runBy[language] === undefined &&
  runBy[page] === undefined &&
  elsewhere[name] === undefined;

test('every block is shown, run here, or run elsewhere for a reason', () => {
  const run = blocks.filter(isRun);
  expect(run.filter(({ language }) => language !== 'sh' && language !== 'sql')).toEqual([]);
  const names = new Set(blocks.map(({ name }) => name));
  expect(Object.keys(elsewhere).filter((name) => !names.has(name))).toEqual([]);
  for (const file of Object.values(runBy))
    expect(readFileSync(join(root, file), 'utf8')).toBeTruthy();
});

test('the scripts that a block names exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  const named = commands.flatMap((text) => [...text.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)]);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter(([, script = '']) => scripts[script] === undefined)).toEqual([]);
});

describe('run against npm start', { timeout: longTestMs }, () => {
  let stack: Stack;
  let scratch: string;
  let key: string;
  let ownerUrl: string;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'blocks-'));
    stack = await createStack();
    await stack.start();
    const dataDir = stack.environment['DATA_DIR'] ?? '';
    key = readFileSync(join(dataDir, 'sandbox-key'), 'utf8').trim();
    ownerUrl = lastEmbeddedUrls(dataDir)?.owner ?? '';
  }, longTestMs);
  afterAll(async () => {
    await stack.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Gives a block to a shell that reads it as typed. */
  async function shell(text: string, cwd: string): Promise<{ out: string; status: number | null }> {
    // A file, as a terminal, can be opened again as /dev/stderr; a pipe of Node's cannot.
    const file = join(scratch, 'output');
    const output = openSync(file, 'w');
    const child = spawn('bash', ['-o', 'pipefail'], {
      cwd,
      stdio: ['pipe', output, output],
      env: {
        ...env,
        ...stack.environment,
        BASE_URL: stack.baseUrl,
        API_KEY: key,
        MIGRATION_DATABASE_URL: ownerUrl,
      },
    });
    child.stdin?.end(`${text}\n`);
    const ended = once(child, 'close') as Promise<[number | null]>;
    const [status] = await ended;
    closeSync(output);
    return { status, out: readFileSync(file, 'utf8') };
  }

  test('the walk of the README settles a payout and invites a payee, twice over', async () => {
    const walk = blocksOf('README.md').find(({ text }) => text.includes('npm run -s key'));
    // The one thing that differs: this service listens on a port of its own.
    const text = walk?.text.replaceAll('http://localhost:3000', stack.baseUrl) ?? '';
    expect(text).toContain(stack.baseUrl);
    for (const round of ['first', 'second']) {
      const { out, status } = await shell(text, root);
      expect({ round, status }, out).toEqual({ round, status: 0 });
      expect(out).not.toContain('"error":{');
      expect(out).toMatch(/"state":"settled"/);
      expect(out).toContain('"status":"invited"');
      const csv = out.split('\n').find((line) => line.startsWith('payout_id,')) ?? out;
      const payout = /pay_[0-9a-z]{26}/.exec(out)?.[0] ?? 'none';
      expect(out.slice(out.indexOf(csv))).toContain(payout);
    }
  });

  /** What stands between the outputs of two blocks of a guide. */
  const between = '=== next block ===';

  // A guide is one walk: a block uses what an earlier one has set.
  test.each(guides)('%s, and each answer is as it is shown', async (page) => {
    const all = blocksOf(page);
    const commands = all.filter((block) => block.language === 'sh');
    const walk = commands.map(({ text }) => text).join(`\necho '${between}'\n`);
    const { out, status } = await shell(
      `set -e\n${walk.replaceAll('http://localhost:3000', stack.baseUrl)}`,
      root,
    );
    expect({ status }, out).toEqual({ status: 0 });
    const outputs = out.split(between);
    for (const [index, { name }] of commands.entries()) {
      const output = outputs[index] ?? '';
      const after = all[all.findIndex((block) => block === commands[index]) + 1];
      const shown: unknown = after?.language === 'json' ? JSON.parse(after.text) : {};
      const answer = lastJson(output);
      const told = `${name}\n${JSON.stringify(answer, null, 2)}`;
      expect(differences(shown, answer ?? {}), told).toEqual([]);
      // Only what is shown to fail does.
      expect(/"errors?":[{[]/.test(output), told).toBe(/"errors?":/.test(JSON.stringify(shown)));
    }
  });

  const others = blocks.filter(
    ({ page, ...block }) =>
      isRun({ page, ...block }) &&
      block.language === 'sh' &&
      page !== 'README.md' &&
      !guides.includes(page),
  );
  test.each(others)('$name', async ({ text }) => {
    const { out, status } = await shell(text, scratch);
    // An older pg_dump refuses a newer server; whether the command is right is seen from its reason.
    if (status !== 0 && /pg_dump/.test(text)) expect(out).toMatch(/version mismatch|not found/);
    else expect({ status }, out).toEqual({ status: 0 });
    expect(out).not.toContain('"error":{');
  });

  test('the SQL of the pages', async () => {
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    try {
      // The tables of a receiver, of which docs/webhooks.md speaks.
      await client.query(`
        CREATE TEMPORARY TABLE seen_event (id text PRIMARY KEY);
        CREATE TEMPORARY TABLE my_payout
          (payout_id text, state text, state_at timestamptz, state_sequence bigint);
        INSERT INTO my_payout VALUES ('pay_1', 'approved', '2026-11-20', 1)`);
      const values: Readonly<Record<string, readonly unknown[]>> = {
        INSERT: ['evt_1'],
        UPDATE: ['pay_1', 'settled', '2026-11-20', 2],
      };
      const statements = blocks.filter((block) => isRun(block) && block.language === 'sql');
      expect(statements.map(({ page }) => page)).toEqual(['docs/webhooks.md', 'docs/webhooks.md']);
      for (const { text, name } of statements) {
        const [verb = ''] = text.split(' ');
        const { rowCount } = await client.query(text, [...(values[verb] ?? [])]);
        expect(rowCount, name).toBeGreaterThan(0);
        // An event that comes again, or late, changes nothing.
        if (verb !== 'SELECT') {
          expect((await client.query(text, [...(values[verb] ?? [])])).rowCount, name).toBe(0);
        }
      }
    } finally {
      await client.end();
    }
  });
});
