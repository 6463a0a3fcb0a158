import { DomainError, invalid, type FieldError } from '../errors/domain-error.ts';
import { isExact } from './exact-number.ts';
import { pathText } from './field-errors.ts';

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, colon, comma] = [code('"'), code('\\'), code(':'), code(',')];
const [openBracket, closeBracket] = [code('['), code(']')];
const [openBrace, closeBrace] = [code('{'), code('}')];
const [minus, nought, nine] = [code('-'), code('0'), code('9')];
const [plus, point, smallE, largeE] = [code('+'), code('.'), code('e'), code('E')];

const beginsNumber = (byte: number): boolean => (byte >= nought && byte <= nine) || byte === minus;

const continuesNumber = (byte: number): boolean =>
  (byte >= nought && byte <= nine) ||
  byte === point ||
  byte === smallE ||
  byte === largeE ||
  byte === plus ||
  byte === minus;

/** The index after the string whose opening quote stands before `start`. */
function endOfString(bytes: Buffer, start: number): number {
  let i = start;
  for (; i < bytes.length && bytes[i] !== quote; i += 1) if (bytes[i] === backslash) i += 1;
  return i + 1;
}

function endOfNumber(bytes: Buffer, start: number): number {
  let i = start;
  while (i < bytes.length && continuesNumber(bytes[i] ?? 0)) i += 1;
  return i;
}

/** A double keeps every numeral of so few characters, if it has no exponent. */
const surelyExact = 15;

function keepsNumber(bytes: Buffer, start: number, end: number): boolean {
  if (end - start <= surelyExact) {
    let i = start;
    while (i < end && bytes[i] !== smallE && bytes[i] !== largeE) i += 1;
    if (i === end) return true;
  }
  return isExact(bytes.toString('latin1', start, end));
}

interface Outline {
  /** How deep brackets and braces nest; for JSON that is its depth. */
  readonly depth: number;
  /** Keys of all objects together, repeated ones included. */
  readonly keys: number;
  /** Keys and separators; a value beyond the first of a list or an object needs one. */
  readonly entries: number;
  readonly exact: boolean;
}

/** One look at each byte, whether it is JSON or not; none behind an entry beyond `mostEntries`. */
function outlineOf(bytes: Buffer, mostEntries: number): Outline {
  let [depth, deepest, keys, commas] = [0, 0, 0, 0];
  let exact = true;
  for (let i = 0; i < bytes.length && keys + commas <= mostEntries; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte === quote) i = endOfString(bytes, i + 1) - 1;
    else if (byte === colon) keys += 1;
    else if (byte === comma) commas += 1;
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    else if (beginsNumber(byte)) {
      const end = endOfNumber(bytes, i);
      exact &&= keepsNumber(bytes, i, end);
      i = end - 1;
    }
  }
  return { depth: deepest, keys, entries: keys + commas, exact };
}

/** Keys of all objects in a value that JSON.parse made, which keeps one of each. */
function keysKept(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = items === value ? 0 : items.length;
  for (const item of items) count += keysKept(item);
  return count;
}

interface Frame {
  /** Null for a list. */
  readonly keys: Set<string> | null;
  /** Where in the object or list the reader is. */
  at: string | number;
  expectsKey: boolean;
}

const duplicate = (path: readonly PropertyKey[]): FieldError => ({
  field: pathText(path),
  code: 'duplicate_key',
  message: 'The key stands twice in its object.',
});

const inexact = (path: readonly PropertyKey[]): FieldError => ({
  field: pathText(path),
  code: 'inexact_number',
  message: 'The number has more digits, or is larger or smaller, than can be kept.',
});

/** The first repeated key, or the first number that cannot be kept, of bytes that are JSON. */
function firstFault(bytes: Buffer): FieldError | null {
  const frames: Frame[] = [];
  const path = () => frames.map(({ at }) => at);
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    const frame = frames.at(-1);
    if (byte === quote) {
      const end = endOfString(bytes, i + 1);
      if (frame?.keys && frame.expectsKey) {
        // As JSON.parse reads it, since a key may be written with escapes.
        frame.at = JSON.parse(bytes.toString('utf8', i, end)) as string;
        frame.expectsKey = false;
        if (frame.keys.has(frame.at)) return duplicate(path());
        frame.keys.add(frame.at);
      }
      i = end - 1;
    } else if (byte === openBrace) frames.push({ keys: new Set(), at: '', expectsKey: true });
    else if (byte === openBracket) frames.push({ keys: null, at: 0, expectsKey: false });
    else if (byte === closeBrace || byte === closeBracket) frames.pop();
    else if (byte === comma && frame) {
      if (typeof frame.at === 'number') frame.at += 1;
      else frame.expectsKey = true;
    } else if (beginsNumber(byte)) {
      const end = endOfNumber(bytes, i);
      if (!keepsNumber(bytes, i, end)) return inexact(path());
      i = end - 1;
    }
  }
  return null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON and refuses what JSON.parse would change without a word: it rounds a number that a
 * double cannot hold, and keeps only the last of two equal keys. Either could pay another amount than
 * the one that was sent. A repeated key is noticed by counting the keys, so a usual body costs one
 * more pass over its bytes; which key it was is searched for only then.
 *
 * Throws `bad_request` for what is no UTF-8 JSON, nests deeper than `depthLimit` or has more than
 * `mostEntries` keys and separators. Throws `validation_failed` with the path of the first number
 * that cannot be kept (`inexact_number`) or of the first repeated key (`duplicate_key`).
 */
export function readExactJson(bytes: Buffer, depthLimit: number, mostEntries: number): unknown {
  const { depth, keys, entries, exact } = outlineOf(bytes, mostEntries);
  if (depth > depthLimit) {
    throw new DomainError('bad_request', { message: 'The body is nested too deeply.' });
  }
  if (entries > mostEntries) {
    throw new DomainError('bad_request', { message: 'The body has too many keys and values.' });
  }
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes)) as unknown;
  } catch (error) {
    throw new DomainError('bad_request', { message: 'The body is not valid JSON.', cause: error });
  }
  if (exact && (keys === 0 || keysKept(value) === keys)) return value;
  const fault = firstFault(bytes);
  if (fault === null) throw new Error('a body that loses something has a place where it does');
  throw invalid([fault]);
}
