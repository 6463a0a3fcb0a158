import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

/** The types of every request and answer of an OpenAPI document, as the client has them. */
export async function clientTypes(document: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-types-'));
  try {
    await createClient({
      input: { ...document },
      output: { path: folder, entryFile: false, tsConfigPath: null },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    return await readFile(join(folder, 'types.gen.ts'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
