import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** One file for each rule that the design leans on; the rule must be the only one it breaks. */
const broken = [
  {
    rule: 'typescript(no-floating-promises)',
    file: 'src/domain/payout/floating.ts',
    source:
      'declare function save(): Promise<void>;\nexport const f = (): void => {\n  save();\n};\n',
  },
  {
    rule: 'typescript(no-misused-promises)',
    file: 'src/domain/payout/misused.ts',
    source:
      'declare function due(): Promise<boolean>;\nexport function f(): number {\n  if (due()) return 1;\n  return 0;\n}\n',
  },
  {
    rule: 'typescript(await-thenable)',
    file: 'src/domain/payout/thenable.ts',
    source:
      'export async function f(n: number): Promise<number> {\n  const m = await n;\n  return m;\n}\n',
  },
  {
    rule: 'typescript(no-explicit-any)',
    file: 'schema/any.ts',
    source: 'export const f = (row: any): boolean => row === null;\n',
  },
  {
    rule: 'typescript(no-unsafe-assignment)',
    file: 'rest/parse.ts',
    source:
      'export function f(text: string): string {\n  const body: { id: string } = JSON.parse(text);\n  return body.id;\n}\n',
  },
  {
    rule: 'typescript(no-non-null-assertion)',
    file: 'schema/assertion.ts',
    source: 'export const f = (id: string | null): string => id!;\n',
  },
  {
    rule: 'typescript(switch-exhaustiveness-check)',
    file: 'src/domain/payout/switch.ts',
    source:
      "export function f(state: 'approved' | 'rejected'): number | undefined {\n  switch (state) {\n    case 'approved':\n      return 1;\n  }\n  return undefined;\n}\n",
  },
  {
    rule: 'typescript(only-throw-error)',
    file: 'jobs/throw.ts',
    source: "export function f(): never {\n  throw 'late';\n}\n",
  },
  {
    rule: 'node(no-process-env)',
    file: 'src/db/environment.ts',
    source: "export const url = process.env['DATABASE_URL'];\n",
  },
  {
    rule: 'eslint(no-console)',
    file: 'src/domain/payout/console.ts',
    source: "console.log('approved');\n",
  },
  {
    rule: 'eslint(no-restricted-imports)',
    file: 'src/domain/payout/scope.ts',
    source:
      "import { makeScope } from '../../access/scope.ts';\n\nexport const scope = makeScope('biz_1');\n",
  },
  {
    rule: 'eslint(max-lines)',
    file: 'src/long.ts',
    source: Array.from({ length: 401 }, (_, n) => `export const n${n} = ${n};\n`).join(''),
  },
  {
    rule: 'eslint(no-warning-comments)',
    file: 'src/later.ts',
    source: `// ${'TO'}${'DO'}: later\nexport const later = 1;\n`,
  },
] as const;

/** The same words where they are in their place. */
const allowed = [
  {
    file: 'src/process/config.ts',
    source: "export const url = process.env['DATABASE_URL'];\n",
  },
  {
    file: 'src/access/scope.ts',
    source:
      'export const makeScope = (tenantId: string): { tenantId: string } => ({ tenantId });\n',
  },
  {
    file: 'src/access/system.ts',
    source: "import { makeScope } from './scope.ts';\n\nexport const scope = makeScope('biz_1');\n",
  },
  { file: 'src/migrate.ts', source: "console.log('migrated');\n" },
];

interface LintReport {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

let folder: string;
let found: Map<string, string[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lint-'));
  await cp(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  await cp(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const { file, source } of [...broken, ...allowed]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), source);
  }
  found = new Map();
  for (const { filename, code } of (await lint(folder)).diagnostics) {
    const file = filename.replaceAll('\\', '/');
    found.set(file, [...(found.get(file) ?? []), code]);
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs oxlint as `npm run check:lint` does; it exits with 1 when it has something to say. */
function lint(cwd: string): Promise<LintReport> {
  const program = join(root, 'node_modules/oxlint/bin/oxlint');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, '--format', 'json', 'src', 'schema', 'rest', 'jobs'],
      { cwd },
      (error, stdout, stderr) => {
        if (stdout === '') reject(error ?? new Error(stderr));
        else resolve(JSON.parse(stdout) as LintReport);
      },
    );
  });
}

describe('lint rules', () => {
  test.each(broken)('$rule bites in $file', ({ rule, file }) => {
    expect(new Set(found.get(file))).toEqual(new Set([rule]));
  });

  test.each(allowed)('$file may do it', ({ file }) => {
    expect(found.get(file)).toBeUndefined();
  });
});
