import { BankFileProblem, quoted } from '../problem.ts';

/** The encodings that are read, by the names that XML declarations give them. */
const encodings: ReadonlyMap<string, 'utf-8' | 'latin1'> = new Map([
  ['UTF-8', 'utf-8'],
  ['UTF8', 'utf-8'],
  ['US-ASCII', 'utf-8'],
  ['ISO-8859-1', 'latin1'],
  ['LATIN1', 'latin1'],
]);

/** Enough for every XML declaration that banks write. */
const declarationBytes = 256;

const place = { line: 1, path: null };

function unread(name: string): BankFileProblem {
  return new BankFileProblem(
    'encoding',
    place,
    `the encoding ${quoted(name)} is not read; UTF-8 and ISO-8859-1 are.`,
  );
}

/** How a declared encoding is decoded. Throws BankFileProblem `encoding` for one that is not read. */
export function decodingOf(declared: string): 'utf-8' | 'latin1' {
  const known = encodings.get(declared.toUpperCase());
  if (known === undefined) throw unread(declared);
  return known;
}

/**
 * Decodes the bytes that follow the given beginning of an XML file: with a byte order mark as UTF-8, otherwise
 * as the XML declaration says, otherwise as UTF-8. ISO-8859-1 is read as that and not as windows-1252, which
 * `TextDecoder` takes under its name.
 */
export class XmlDecoder {
  readonly decoding: 'utf-8' | 'latin1';
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  /** @param head at least `declarationBytes` of the file, or all of it */
  constructor(head: Buffer) {
    const [first, second, third] = head;
    if ((first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)) {
      throw unread('UTF-16');
    }
    // Two bytes for each character and no mark: the declaration itself is not readable.
    if (head.subarray(0, 4).includes(0)) throw unread('UTF-16 or UTF-32');
    const marked = first === 0xef && second === 0xbb && third === 0xbf;
    const start = head.subarray(marked ? 3 : 0, declarationBytes).toString('latin1');
    const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1] ?? 'UTF-8';
    this.decoding = decodingOf(declared);
    if (marked && this.decoding !== 'utf-8') {
      throw new BankFileProblem(
        'encoding',
        place,
        `a byte order mark of UTF-8 stands before the declared encoding ${quoted(declared)}.`,
      );
    }
  }

  /**
   * The text of the next bytes; a character that is cut off waits for its rest.
   * @throws TypeError for bytes that are not UTF-8
   */
  decode(bytes: Buffer, last = false): string {
    if (this.decoding === 'latin1') return bytes.toString('latin1');
    return this.#decoder.decode(bytes, { stream: !last });
  }
}

/** The chunks of a file with the first ones put together, so that the first holds the XML declaration. */
export async function* withWholeDeclaration(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (head === null) {
      yield bytes;
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (head.length < declarationBytes) continue;
    yield head;
    head = null;
  }
  if (head !== null && head.length > 0) yield head;
}
