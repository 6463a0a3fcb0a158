import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/.bin/tsc');

export interface Consumer {
  readonly folder: string;
  /** Compiles the consumer's files under strict; what the compiler says, or nothing. */
  compile(options?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Runs a compiled file with this Node. */
  run(file: string, env: Readonly<Record<string, string>>): Promise<string>;
  close(): Promise<void>;
}

const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  // The declarations of the package are read too.
  skipLibCheck: false,
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  outDir: 'out',
  rootDir: '.',
};

/** A project that has the client installed as its package has it: built, with its own package.json. */
export async function makeConsumer(files: Readonly<Record<string, string>>): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'consumer-'));
  const installed = join(folder, 'node_modules/payout-orchestration-client');
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  await mkdir(installed);
  await cp(join(root, 'client/package.json'), join(installed, 'package.json'));
  await run(tsc, ['-p', join(root, 'client'), '--outDir', join(installed, 'dist')]);
  for (const types of ['node', '../undici-types']) {
    await symlink(
      join(root, 'node_modules/@types', types),
      join(folder, 'node_modules/@types', types),
    );
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return {
    folder,
    async compile(options = {}) {
      const compilerOptions = { ...strict, ...options };
      const config = { compilerOptions, include: ['*.ts'] };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      return run(tsc, ['-p', folder]).then(
        () => '',
        (error: unknown) => String((error as { stdout?: unknown }).stdout),
      );
    },
    async run(file, env) {
      const { stdout } = await run(process.execPath, [join(folder, 'out', file)], { env });
      return stdout;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
