import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { strippedFile, strippedFolder } from '../../src/process/stripped.mjs';

/** Writes the sources that the service's processes load, without their types: npm's `prepare` runs this. */
const root = join(import.meta.dirname, '../..');
const sources = globSync(
  ['{src,schema,rest,jobs,simulator,dev,generated/prisma}/**/*.ts', 'generated/*.ts'],
  { cwd: root },
);

rmSync(strippedFolder, { recursive: true, force: true });
mkdirSync(strippedFolder, { recursive: true });
for (const path of sources) {
  const source = readFileSync(join(root, path), 'utf8');
  writeFileSync(strippedFile(source), stripTypeScriptTypes(source));
}
