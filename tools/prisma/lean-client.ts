import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the client's class, where the image takes it from too. */
const wasmFile = 'query_compiler.wasm';

/** In the warnings of Prisma's generator: a source with it takes two bytes a character in V8, Latin-1 one. */
const stopSign = '🛑';

/** How the generated class gets its query compiler. */
const asText =
  /const \{ wasm \} = await import\("([^"]+)"\)\s+return await decodeBase64AsWasm\(wasm\)/;
const asFile = `const { readFileSync } = await import('node:fs')
    return new WebAssembly.Module(readFileSync(new URL('./${wasmFile}', import.meta.url)))`;

/** The query compiler from a file: as a text of a module it would stay in memory, twice. */
async function wasmFromFile(folder: string, text: string): Promise<string> {
  const specifier = asText.exec(text)?.[1];
  if (specifier === undefined) throw new Error('the Prisma client loads no query compiler as text');
  const { wasm } = (await import(specifier)) as { readonly wasm: string };
  writeFileSync(join(folder, wasmFile), Buffer.from(wasm, 'base64'));
  return text.replace(asText, asFile);
}

/**
 * Makes the generated client take less memory: 4.4 MB for the query compiler, and one for the
 * sources.
 */
export async function makeLean(generated: string): Promise<void> {
  const folder = join(generated, 'prisma/internal');
  for (const file of ['class.ts', 'prismaNamespace.ts']) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8').replaceAll(stopSign, '');
    writeFileSync(path, file === 'class.ts' ? await wasmFromFile(folder, text) : text);
  }
}
