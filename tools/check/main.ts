import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runChecks } from './run-checks.ts';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

const results = await runChecks(root, scripts, ({ name, passed, seconds }, output) => {
  console.log(`${passed ? 'pass' : 'FAIL'}  ${name.padEnd(20)} ${seconds.toFixed(1)} s`);
  if (!passed) console.log(output.replaceAll(/^/gm, '      '));
});

const failed = results.filter((result) => !result.passed);
console.log(
  failed.length === 0
    ? `All ${results.length} checks passed.`
    : `${failed.length} of ${results.length} checks failed: ${failed.map((result) => result.name).join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
