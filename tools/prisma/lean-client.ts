import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readsOnly } from './read-graph.ts';

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

/** How the generated class holds the graph of parameters: its names, and its nodes. */
const graphTexts = /strings: JSON\.parse\((".*")\),\s+graph: "([^"]+)"/;

/** The graph without its writes. */
function graphOfReads(text: string): string {
  const [, strings = '', graph] = graphTexts.exec(text) ?? [];
  if (graph === undefined) throw new Error('the Prisma client holds no graph of parameters');
  const names = JSON.parse(JSON.parse(strings) as string) as string[];
  const lean = readsOnly({ strings: names, graph });
  return text.replace(graph, () => lean.graph);
}

/**
 * Makes the generated client take less memory: 4.4 MB for the query compiler, 3 for what only writes need, and one for
 * the sources.
 */
export async function makeLean(generated: string): Promise<void> {
  const folder = join(generated, 'prisma/internal');
  for (const file of ['class.ts', 'prismaNamespace.ts']) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8').replaceAll(stopSign, '');
    writeFileSync(
      path,
      file === 'class.ts' ? graphOfReads(await wasmFromFile(folder, text)) : text,
    );
  }
}
