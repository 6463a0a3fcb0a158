import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file of SQL that a migration run applies. */
export interface SqlFile {
  /** The folder of a migration; the file name of a repeatable file; where a command stands. */
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

/**
 * The repeatable files beside a folder of migrations, and the commands beside their domain code, in the order of their
 * names. A command is named as if all of them stood in `15-commands`.
 */
export async function readRepeatables(migrationsDir: string): Promise<SqlFile[]> {
  const prisma = dirname(migrationsDir);
  const files = [
    ...(await sqlIn(join(prisma, 'repeatable'), '')),
    ...(await sqlIn(join(prisma, '../src/domain'), '15-commands/')),
  ];
  return files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The files of SQL in a folder and those in it; none where there is no such folder. */
async function sqlIn(folder: string, prefix: string): Promise<SqlFile[]> {
  if (!existsSync(folder)) return [];
  const paths = (await readdir(folder, { recursive: true })).filter((path) =>
    path.endsWith('.sql'),
  );
  return Promise.all(
    paths.map((path) => readSql(prefix + path.replaceAll('\\', '/'), join(folder, path))),
  );
}

async function readSql(name: string, path: string): Promise<SqlFile> {
  const sql = await readFile(path, 'utf8');
  return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}
