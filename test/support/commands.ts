import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** A function of the schema `command`, as its file makes it. */
export interface CommandFile {
  readonly path: string;
  readonly name: string;
  readonly definition: string;
}

/** The commands and their parts that stand beside their domain code. */
export const commands: readonly CommandFile[] = globSync('src/domain/**/*.sql')
  .toSorted()
  .map((path) => ({
    path,
    name: basename(path, '.sql').replaceAll('-', '_'),
    definition: readFileSync(path, 'utf8'),
  }));
