/*
 * Loaded by `node --import` before the API and the worker: gives Node the sources without their types, as `npm ci`
 * and the image have written them to generated/stripped. Node strips types by itself, but what does it stays in
 * memory for the whole life of a process: 20 MB, or 15 with its compile cache, which keeps what it has read. A source
 * that has changed since then is stripped by Node.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../..');

export const strippedFolder = join(root, 'generated/stripped');

/** The file with what remains of a source without its types. */
export function strippedFile(source) {
  return join(strippedFolder, createHash('sha256').update(source).digest('hex').slice(0, 32));
}

/** What remains of a source; null where it was not written. Types are blanked, so every position stays the same. */
function stripped(path) {
  const source = readFileSync(path, 'utf8');
  try {
    const text = readFileSync(strippedFile(source), 'utf8');
    // A file that a crash of the machine cut off is shorter, or has zeros.
    return text.length === source.length && !text.includes('\0') ? text : null;
  } catch {
    return null;
  }
}

registerHooks({
  load(url, context, next) {
    const source =
      url.startsWith('file:') && url.endsWith('.ts') ? stripped(fileURLToPath(url)) : null;
    return source === null ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
