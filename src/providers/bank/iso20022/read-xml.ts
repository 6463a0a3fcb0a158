import { SaxesParser, type SaxesTagNS } from 'saxes';
import {
  BankFileProblem,
  largestBankFile,
  quoted,
  type BankFileProblemCode,
  type FilePosition,
} from '../problem.ts';
import { decodingOf, withWholeDeclaration, XmlDecoder } from './read-encoding.ts';
import type { XmlNode } from './read-node.ts';

/** What a file may hold at most. The memory that a reader needs follows from them, not from the file. */
export interface XmlLimits {
  readonly bytes: number;
  /** Elements within each other. */
  readonly depth: number;
  /** Characters of one text, attribute or comment. */
  readonly text: number;
  /** Characters of an element's or attribute's name. */
  readonly name: number;
  /** Attributes of one element. */
  readonly attributes: number;
  /** Elements of one part, such as a payment of a statement. */
  readonly elements: number;
  /** Characters of one part's texts together. */
  readonly partText: number;
}

export const usualXmlLimits: XmlLimits = {
  bytes: largestBankFile,
  depth: 32,
  text: 16_384,
  name: 128,
  attributes: 16,
  elements: 20_000,
  partText: 1_048_576,
};

/** The elements that are entered one by one; every other element is a part and is read whole. */
export interface Entered {
  readonly [name: string]: Entered;
}

/** What reads a message: it is told of each element in the order of the file. */
export interface XmlVisitor {
  readonly root: Entered;
  enter(name: string, place: FilePosition): void;
  /** A whole element within the one that was entered last, whose name is `within`. */
  part(within: string, node: XmlNode): void;
  leave(name: string, place: FilePosition): void;
}

/** The root element, by which the message is known. */
export interface XmlRoot {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly place: FilePosition;
}

/** An element that was entered. */
interface Frame {
  readonly name: string;
  readonly path: string;
  readonly entered: Entered;
  /** How many of each name were entered within it. */
  readonly counts: Map<string, number>;
}

/** The only element that may hold another namespace. Nothing in it is read. */
const foreign = 'SplmtryData';

/** How much the parser is given at once: what it keeps of an unfinished text is looked at in between. */
const sliceLength = 65_536;

const noAttributes: XmlNode['attributes'] = new Map();

class XmlReading {
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #limits: XmlLimits;
  readonly #begin: (root: XmlRoot) => XmlVisitor;
  readonly #frames: Frame[] = [];
  #visitor: XmlVisitor | null = null;
  #namespace = '';
  /** The element of the part that is open, or null between parts. */
  #node: XmlNode | null = null;
  #depth = 0;
  /** The depth of an element whose content is passed over, or 0. */
  #foreignDepth = 0;
  #attributes = 0;
  #elements = 0;
  #partText = 0;
  #lastEvent = 0;

  constructor(limits: XmlLimits, begin: (root: XmlRoot) => XmlVisitor) {
    this.#limits = limits;
    this.#begin = begin;
    const parser = this.#parser;
    parser.on('error', (error) => this.#refuseSyntax(error.message));
    parser.on('doctype', () => this.#refuse('doctype', 'a DOCTYPE is not read.'));
    parser.on('processinginstruction', () =>
      this.#refuse('processing_instruction', 'processing instructions are not read.'),
    );
    parser.on('comment', (text) => this.#measure('comment', text, this.#limits.text));
    parser.on('attribute', ({ name, value }) => {
      this.#attributes += 1;
      if (this.#attributes > this.#limits.attributes) {
        this.#refuse('too_many_parts', 'an element has too many attributes.');
      }
      this.#measure('name', name, this.#limits.name);
      this.#measure('attribute', value, this.#limits.text);
    });
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', () => this.#close());
    parser.on('text', (text) => this.#text(text));
    parser.on('cdata', (text) => this.#text(text));
  }

  /** Compares the declaration that was parsed with what the bytes were decoded as. */
  checkDeclaration(decoder: XmlDecoder): void {
    this.#parser.on('xmldecl', ({ version, encoding }) => {
      this.#lastEvent = this.#parser.position;
      if (version !== '1.0') this.#refuse('not_well_formed', 'only XML 1.0 is read.');
      if (encoding !== undefined && decodingOf(encoding) !== decoder.decoding) {
        this.#refuse('encoding', 'the XML declaration is too long to be found in time.');
      }
    });
  }

  write(text: string): void {
    // A slice of a string is slower to read than a whole one.
    if (text.length <= sliceLength) return this.#writeSlice(text);
    for (let start = 0; start < text.length; start += sliceLength) {
      this.#writeSlice(text.slice(start, start + sliceLength));
    }
  }

  #writeSlice(text: string): void {
    this.#parser.write(text);
    if (this.#parser.position - this.#lastEvent > this.#limits.text + sliceLength) {
      this.#refuse('too_long', 'a text, name or comment goes on for too long.');
    }
  }

  end(): void {
    this.#parser.close();
  }

  refuseBytes(message: string, code: BankFileProblemCode): never {
    this.#refuse(code, message);
  }

  #place(): FilePosition {
    const node = this.#node;
    const outer = this.#frames.at(-1)?.path ?? '';
    return {
      line: this.#parser.line,
      path: node === null ? outer || null : `${outer}/${node.name}`,
    };
  }

  #refuse(code: BankFileProblemCode, message: string): never {
    throw new BankFileProblem(code, this.#place(), message);
  }

  #refuseSyntax(message: string): never {
    // The parser's own message begins with its place.
    const words = message.replace(/^\d+:\d+: /, '');
    if (words === 'undefined entity.') {
      this.#refuse('entity', 'only the five entities of XML itself are read.');
    }
    this.#refuse('not_well_formed', `this is not well-formed XML: ${words}`);
  }

  #measure(what: string, text: string, limit: number): void {
    this.#lastEvent = this.#parser.position;
    if (text.length > limit)
      this.#refuse('too_long', `a ${what} has more than ${limit} characters.`);
  }

  #open(tag: SaxesTagNS): void {
    this.#measure('name', tag.name, this.#limits.name);
    const attributes = this.#attributes === 0 ? noAttributes : attributesOf(tag);
    this.#attributes = 0;
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) {
      this.#refuse('too_deep', `elements are nested deeper than ${this.#limits.depth}.`);
    }
    if (this.#foreignDepth > 0) return;
    if (this.#depth === 1) {
      this.#openRoot(tag, attributes);
      return;
    }
    if (tag.uri !== this.#namespace) {
      this.#refuse('mixed_namespaces', `${quoted(tag.name)} is in another namespace.`);
    }
    if (tag.local === foreign) {
      this.#foreignDepth = this.#depth;
      return;
    }
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    const inner = this.#node === null ? frame.entered[tag.local] : undefined;
    if (inner === undefined) this.#openPart(frame, tag.local, attributes);
    else this.#enter(frame, tag.local, inner);
  }

  #openRoot(tag: SaxesTagNS, attributes: XmlNode['attributes']): void {
    const path = `/${tag.local}`;
    const place = { line: this.#parser.line, path };
    this.#namespace = tag.uri;
    const namespace = tag.uri === '' ? misspeltNamespace(tag) : tag.uri;
    this.#visitor = this.#begin({ name: tag.local, namespace, attributes, place });
    this.#frames.push({
      name: tag.local,
      path,
      entered: this.#visitor.root,
      counts: new Map(),
    });
  }

  #enter(frame: Frame, name: string, entered: Entered): void {
    const count = (frame.counts.get(name) ?? 0) + 1;
    frame.counts.set(name, count);
    const path = `${frame.path}/${name}[${count}]`;
    this.#frames.push({ name, path, entered, counts: new Map() });
    this.#visitor?.enter(name, this.#place());
  }

  #openPart(frame: Frame, name: string, attributes: XmlNode['attributes']): void {
    if (this.#node === null) {
      this.#elements = 0;
      this.#partText = 0;
    }
    this.#elements += 1;
    if (this.#elements > this.#limits.elements) {
      this.#refuse(
        'too_many_parts',
        `more than ${this.#limits.elements} elements belong together.`,
      );
    }
    const node: XmlNode = {
      name,
      line: this.#parser.line,
      parent: this.#node ?? frame.path,
      attributes,
      children: [],
      text: '',
    };
    this.#node?.children.push(node);
    this.#node = node;
  }

  #text(text: string): void {
    this.#measure('text', text, this.#limits.text);
    if (this.#foreignDepth > 0) return;
    const node = this.#node;
    if (node === null) {
      if (this.#depth > 0 && /\S/.test(text)) {
        this.#refuse('misplaced_element', 'a text stands between elements.');
      }
      return;
    }
    this.#partText += text.length;
    if (this.#partText > this.#limits.partText) {
      this.#refuse('too_many_parts', 'the texts that belong together are too long.');
    }
    node.text += text;
    // Character data comes in pieces around CDATA sections and comments.
    if (node.text.length > this.#limits.text) this.#refuse('too_long', 'a text is too long.');
  }

  #close(): void {
    this.#lastEvent = this.#parser.position;
    this.#depth -= 1;
    if (this.#foreignDepth > 0) {
      if (this.#depth < this.#foreignDepth) this.#foreignDepth = 0;
      return;
    }
    const node = this.#node;
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    if (node === null) {
      const place = this.#place();
      this.#frames.pop();
      this.#visitor?.leave(frame.name, place);
      return;
    }
    if (node.children.length > 0 && /\S/.test(node.text)) {
      this.#refuse('misplaced_element', 'a text stands between elements.');
    }
    if (typeof node.parent !== 'string') {
      this.#node = node.parent;
      return;
    }
    this.#node = null;
    this.#visitor?.part(frame.name, node);
  }
}

/** Attributes without a prefix; those with one are instructions for other programs. */
function attributesOf(tag: SaxesTagNS): ReadonlyMap<string, string> {
  const own = Object.values(tag.attributes).filter(({ prefix }) => prefix === '');
  return own.length === 0 ? noAttributes : new Map(own.map(({ name, value }) => [name, value]));
}

/** Some banks write `Xmlns` for `xmlns`: their elements are in no namespace, and the message is known all the same. */
function misspeltNamespace(tag: SaxesTagNS): string {
  const found = Object.values(tag.attributes).find(({ name }) => name.toLowerCase() === 'xmlns');
  return found?.value ?? '';
}

/**
 * Reads an XML file as a stream. Each chunk of bytes is parsed at once, and what `begin`'s visitor emits of it is
 * yielded before the next chunk is asked for. What was yielded before a problem counts for nothing: a file is
 * good when the generator ends.
 *
 * @param begin makes the visitor of a message from its root element, or refuses it
 * @throws BankFileProblem for a file that is not what it must be
 */
export async function* readXml<T>(
  chunks: AsyncIterable<Uint8Array>,
  begin: (root: XmlRoot, emit: (item: T) => void) => XmlVisitor,
  limits: XmlLimits = usualXmlLimits,
): AsyncGenerator<T> {
  let emitted: T[] = [];
  const reading = new XmlReading(limits, (root) => begin(root, (item) => emitted.push(item)));
  let decoder: XmlDecoder | null = null;
  let bytes = 0;
  const read = (chunk: Buffer, last: boolean): void => {
    if (decoder === null) {
      decoder = new XmlDecoder(chunk);
      reading.checkDeclaration(decoder);
    }
    let text: string;
    try {
      text = decoder.decode(chunk, last);
    } catch {
      return reading.refuseBytes('bytes follow that are not UTF-8.', 'encoding');
    }
    reading.write(text);
  };
  for await (const chunk of withWholeDeclaration(chunks)) {
    bytes += chunk.length;
    if (bytes > limits.bytes) {
      reading.refuseBytes(`the file has more than ${limits.bytes} bytes.`, 'file_too_large');
    }
    read(chunk, false);
    const items = emitted;
    emitted = [];
    yield* items;
  }
  read(Buffer.alloc(0), true);
  reading.end();
  yield* emitted;
}
