import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** A file of the built console, as each browser takes it. */
export interface ConsoleFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same in shorter encodings, by the name that a browser accepts them by. */
  readonly encoded: ReadonlyMap<string, Buffer>;
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
};

/** Suffixes of the shorter forms, the shortest first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The files of the built console by their paths below its folder; none where it is not built. */
export async function readConsoleFiles(folder: string): Promise<ReadonlyMap<string, ConsoleFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const contents = new Map<string, Buffer>();
  for (const path of paths) contents.set(relative(folder, path), await readFile(path));
  const files = new Map<string, ConsoleFile>();
  for (const [name, bytes] of contents) {
    const type = types[name.split('.').at(-1) ?? ''];
    if (type === undefined) continue;
    const encoded = new Map<string, Buffer>();
    for (const [encoding, suffix] of encodings) {
      const shorter = contents.get(name + suffix);
      if (shorter !== undefined) encoded.set(encoding, shorter);
    }
    files.set(name.replaceAll('\\', '/'), { type, bytes, encoded });
  }
  return files;
}
