import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of SQL that a migration run applies. */
export interface SqlFile {
  /** The folder of a migration, the file name of a repeatable file. */
  readonly name: string;
  readonly sql: string;
  /** Of the content, in hexadecimal digits. */
  readonly sha256: string;
}

/** `<folder>/<name>/migration.sql`, in the order of their names. */
export async function readMigrations(folder: string): Promise<SqlFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map((name) => readSql(name, join(folder, name, 'migration.sql'))),
  );
}

/** `<folder>/<name>.sql`, in the order of their names; none where there is no such folder. */
export async function readRepeatables(folder: string): Promise<SqlFile[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((entry) => entry.endsWith('.sql'));
  return Promise.all(names.toSorted().map((name) => readSql(name, join(folder, name))));
}

async function readSql(name: string, path: string): Promise<SqlFile> {
  const sql = await readFile(path, 'utf8');
  return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}
