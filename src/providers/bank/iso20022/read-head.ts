import { BankFileProblem, type FilePosition } from '../problem.ts';
import type { BankReport, FileReport } from '../report.ts';
import { needText, placeOf, problemAt, timeAt, type XmlNode } from './read-node.ts';
import { usualXmlLimits, type XmlVisitor } from './read-xml.ts';

export type Emit = (report: BankReport) => void;

/** Makes the visitor of one message. `format` is its name, such as `camt.053.001.08`. */
export type MessageReader = (format: string, emit: Emit) => XmlVisitor;

function sizeOf(node: XmlNode): { elements: number; text: number } {
  const size = { elements: 1, text: node.text.length };
  for (const child of node.children) {
    const inner = sizeOf(child);
    size.elements += inner.elements;
    size.text += inner.text;
  }
  return size;
}

/**
 * The parts at the beginning of an element that is entered, put together as one element. It is as large as one
 * part may be.
 */
export class Head {
  readonly node: XmlNode;
  #elements = 0;
  #text = 0;
  #closed = false;

  constructor(place: FilePosition) {
    const path = place.path ?? '';
    const end = path.lastIndexOf('/');
    this.node = {
      name: path.slice(end + 1),
      line: place.line,
      parent: path.slice(0, Math.max(0, end)),
      attributes: new Map(),
      children: [],
      text: '',
    };
  }

  /** Throws BankFileProblem for a part that stands after the head's end, or is one too many. */
  add(part: XmlNode): void {
    if (this.#closed) {
      throw problemAt(part, 'misplaced_element', `${part.name} stands too late to be read.`);
    }
    const { elements, text } = sizeOf(part);
    this.#elements += elements;
    this.#text += text;
    if (this.#elements > usualXmlLimits.elements || this.#text > usualXmlLimits.partText) {
      throw problemAt(part, 'too_many_parts', `${this.node.name} has more parts than are read.`);
    }
    this.node.children.push(part);
  }

  /** Ends the head; true for the first time. */
  close(): boolean {
    const first = !this.#closed;
    this.#closed = true;
    return first;
  }
}

/** Sees to what every message has: one body with one header, which comes first. */
export class Envelope {
  readonly #format: string;
  readonly #body: string;
  readonly #emit: Emit;
  #bodies = 0;
  #headers = 0;

  constructor(format: string, body: string, emit: Emit) {
    this.#format = format;
    this.#body = body;
    this.#emit = emit;
  }

  enterBody(place: FilePosition): void {
    this.#bodies += 1;
    if (this.#bodies > 1) {
      throw new BankFileProblem('repeated_element', place, `a second ${this.#body} follows.`);
    }
  }

  /** A part of the document beside the body. */
  refuse(node: XmlNode): never {
    throw problemAt(node, 'unknown_message', `a ${this.#format} holds ${this.#body}.`);
  }

  header(node: XmlNode): void {
    this.#headers += 1;
    if (this.#headers > 1) throw problemAt(node, 'repeated_element', 'a second header follows.');
    const report: FileReport = {
      kind: 'file',
      format: this.#format,
      messageId: needText(node, 'MsgId'),
      createdAt: timeAt(node, 'CreDtTm'),
      place: placeOf(node),
    };
    this.#emit(report);
  }

  needHeader(place: FilePosition): void {
    if (this.#headers === 0) {
      throw new BankFileProblem('missing_element', place, 'GrpHdr is missing.');
    }
  }

  needBody(place: FilePosition): void {
    if (this.#bodies === 0) {
      throw new BankFileProblem('missing_element', place, `${this.#body} is missing.`);
    }
  }
}
