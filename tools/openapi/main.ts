import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findingsIn } from './findings.ts';

const file = 'docs/openapi.json';
const findings = await findingsIn(await readFile(join(import.meta.dirname, '../..', file), 'utf8'));

for (const { linter, rule, place, message } of findings) {
  console.error(`${file} ${place}\n  ${linter} ${rule}: ${message}`);
}
if (findings.length > 0) process.exitCode = 1;
else console.log(`Redocly and Spectral find nothing in ${file}.`);
