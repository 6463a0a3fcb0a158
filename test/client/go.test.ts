import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { inherited } from '../support/config.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

/* The recipe for Go of client/README.md, where Go and ogen are to be had. */

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

function runs(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', env: inherited });
    return true;
  } catch {
    return false;
  }
}
const hasGo = runs('go', 'version') && runs('ogen', '-version');

const harness = useHarness();
const tenant = useTenant(harness);

/** A compiler that has nothing compiled yet needs minutes. */
const buildMs = 900_000;

describe.skipIf(!hasGo)('a client that ogen makes for Go', () => {
  test(
    'compiles, and pays a payee',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'go-client-'));
      const here = { cwd: folder, env: { ...inherited, GOFLAGS: '-mod=mod' }, maxBuffer: 64 << 20 };
      try {
        await writeFile(join(folder, 'go.mod'), 'module settle\n\ngo 1.24\n');
        await cp(join(import.meta.dirname, 'programs/settle.go'), join(folder, 'main.go'));
        const document = join(root, 'docs/openapi.json');
        await run('ogen', ['--target', 'api', '--package', 'api', '--clean', document], here);
        await run('go', ['mod', 'tidy'], here);
        await run('go', ['build', '-o', 'settle', '.'], here);
        const env = { ...inherited, BASE_URL: harness.baseUrl, API_KEY: tenant.key };
        const { stdout } = await run(join(folder, 'settle'), [], { ...here, env });
        expect(stdout).toMatch(/^pay_\w+ 48000 USD\n$/);
        const [id = ''] = stdout.split(' ');
        const { body } = await harness.rest('GET', `/v1/payouts/${id}`, { key: tenant.key });
        expect(body.payout.approved_at).not.toBeNull();
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    buildMs,
  );
});
