import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

/** A file, or a marked region of one, that is produced from code and committed for readers. */
export interface GeneratedText {
  /** Path from the repository's root. */
  readonly file: string;
  /**
   * Only the text between `<!-- begin generated: NAME -->` and `<!-- end generated: NAME -->` is
   * produced (in YAML `# begin generated: NAME` and `# end generated: NAME`); the rest of the file is written by people.
   */
  readonly region?: string;
  readonly generate: () => string | Promise<string>;
}

export interface GeneratedResult {
  readonly name: string;
  /** Whether the committed text was what the code produces now. */
  readonly fresh: boolean;
}

/**
 * Produces every text and compares it with the file in the working tree.
 * @param write replaces stale text instead of only reporting it
 * @returns one result for each text, in the order given
 * @throws Error when a region's markers are missing, or when a generator throws
 */
export async function compareGenerated(
  root: string,
  texts: readonly GeneratedText[],
  { write }: { readonly write: boolean },
): Promise<GeneratedResult[]> {
  const results: GeneratedResult[] = [];
  // One after another, since two regions may be in the same file.
  for (const text of texts) {
    const path = join(root, text.file);
    const committed = await readIfPresent(path);
    const produced = await produce(root, text, committed);
    const fresh = committed === produced;
    if (write && !fresh) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, produced);
    }
    results.push({ name: nameOf(text), fresh });
  }
  return results;
}

async function produce(
  root: string,
  text: GeneratedText,
  committed: string | undefined,
): Promise<string> {
  const content = await formatted(root, text.file, ensureNewline(await text.generate()));
  if (text.region === undefined) return content;
  if (committed === undefined) throw new Error(`${text.file} does not exist`);
  return replaceRegion(committed, text.region, content, text.file);
}

function replaceRegion(whole: string, region: string, content: string, file: string): string {
  const [open, close] = file.endsWith('.yml') ? ['# ', ''] : ['<!-- ', ' -->'];
  const begin = `${open}begin generated: ${region}${close}`;
  const end = `${open}end generated: ${region}${close}`;
  const from = whole.indexOf(begin);
  const to = whole.indexOf(end);
  if (from === -1 || to < from) {
    throw new Error(`${file} has no region "${begin}" … "${end}"`);
  }
  return `${whole.slice(0, from + begin.length)}\n\n${content}\n${whole.slice(to)}`;
}

/** Formats Markdown and sources, so that check:format and check:generated agree. */
async function formatted(root: string, file: string, content: string): Promise<string> {
  if (!/\.md$|^(?:src|rest)\//.test(file)) return content;
  const options = JSON.parse(await readFile(join(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const { code, errors } = await format(file, content, options);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} cannot be formatted: ${error.message}`);
  return code;
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    // A checkout on Windows may have changed the line ends.
    return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function nameOf(text: GeneratedText): string {
  return text.region === undefined ? text.file : `${text.file} (${text.region})`;
}

function ensureNewline(content: string): string {
  return content.endsWith('\n') ? content : `${content}\n`;
}
