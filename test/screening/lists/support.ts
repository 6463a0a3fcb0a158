import { createReadStream, readFileSync } from 'node:fs';
import { XmlDocument, type XmlElement, type XmlNode } from 'libxml2-wasm';
import type { ListEntry, ListFiles, ListKind } from '../../../src/screening/lists/entry.ts';
import { ListProblem } from '../../../src/screening/lists/problem.ts';
import { readList, type ListSummary } from '../../../src/screening/lists/read-list.ts';
import { listFile } from '../config.ts';

export const context = { givenDate: '2026-08-21', today: '2026-11-27' };

export interface Read {
  readonly entries: readonly ListEntry[];
  readonly summary: ListSummary;
}

/** Reads a whole list. */
export async function readWhole(kind: ListKind, files: ListFiles): Promise<Read> {
  const reading = readList(kind, files, context);
  const entries: ListEntry[] = [];
  for (;;) {
    const next = await reading.next();
    if (next.done === true) return { entries, summary: next.value };
    entries.push(next.value);
  }
}

/** The name of the problem that a damaged list has; null where it was read to its end. */
export async function problemOf(kind: ListKind, files: ListFiles): Promise<string | null> {
  try {
    await readWhole(kind, files);
    return null;
  } catch (error) {
    if (error instanceof ListProblem) return error.code;
    throw error;
  }
}

/** A text in pieces of an odd size, so that characters and tags are cut. */
export async function* pieces(text: string | Uint8Array, size = 997): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const open = (name: string) => createReadStream(listFile(name));
export const textOf = (name: string): string => readFileSync(listFile(name), 'utf8');

/** The files of OFAC's CSV. */
export const ofacCsv = (
  main: string,
  aliases: string,
  addresses: string,
  comments: string,
): ListFiles => ({
  main: open(`ofac-csv/${main}`),
  aliases: open(`ofac-csv/${aliases}`),
  addresses: open(`ofac-csv/${addresses}`),
  comments: open(`ofac-csv/${comments}`),
});

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Another way to read an XML list: the whole document by libxml2, and XPath without namespaces. */
export class Document {
  readonly #document: XmlDocument;
  constructor(text: string) {
    this.#document = XmlDocument.fromString(text);
  }
  elements(name: string): readonly XmlElement[] {
    return this.#document.root.find(`//*[local-name()='${name}']`) as XmlElement[];
  }
  dispose(): void {
    this.#document.dispose();
  }
}

/** The texts of a path of child elements, without the empty ones. */
export function texts(node: XmlElement, path: string): string[] {
  const steps = path.split('/').map((step) => `*[local-name()='${step}']`);
  return node
    .find(steps.join('/'))
    .map((found: XmlNode) => squeeze(found.content))
    .filter((text) => text !== '');
}

export function attributes(node: XmlElement, path: string, name: string): string[] {
  return (node.find(`*[local-name()='${path}']`) as XmlElement[])
    .map((found) => squeeze(found.attr(name)?.value ?? ''))
    .filter((text) => text !== '');
}

export const unique = (values: readonly string[]): string[] => [...new Set(values)];

/** RFC 4180 in a few lines, one character after the other. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let [row, cell, quoted] = [[] as string[], '', false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (quoted && sign === '"' && text[at + 1] === '"') [cell, at] = [`${cell}"`, at + 1];
    else if (sign === '"') quoted = !quoted;
    else if (quoted || !',\r\n\u001a'.includes(sign)) cell += sign;
    else if (sign === ',') [row, cell] = [[...row, cell], ''];
    else if (sign === '\n') {
      rows.push([...row, cell]);
      [row, cell] = [[], ''];
    }
  }
  if (row.length > 0) rows.push([...row, cell]);
  return rows;
}
