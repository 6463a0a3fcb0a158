import { moneyOfDecimal, type Money } from '../decimal.ts';
import {
  BankFileProblem,
  quoted,
  type BankFileProblemCode,
  type FilePosition,
} from '../problem.ts';

/** An element with all that is in it. */
export interface XmlNode {
  /** Without its prefix. */
  readonly name: string;
  readonly line: number;
  /** The path of the element around it. */
  readonly parent: XmlNode | string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlNode[];
  /** Its own text, as it stands in the file. */
  text: string;
}

function pathOf(node: XmlNode): string {
  const outer = typeof node.parent === 'string' ? node.parent : pathOf(node.parent);
  return `${outer}/${node.name}`;
}

/** Where an element stands, for people. */
export const placeOf = (node: XmlNode): FilePosition => ({ line: node.line, path: pathOf(node) });

export function problemAt(
  node: XmlNode,
  code: BankFileProblemCode,
  message: string,
): BankFileProblem {
  return new BankFileProblem(code, placeOf(node), message);
}

/** All elements of a name within another one. */
export function all(node: XmlNode, name: string): readonly XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

/** The element at a path of names, or null. Throws BankFileProblem where one of them stands twice. */
export function find(node: XmlNode, ...names: readonly string[]): XmlNode | null {
  let found = node;
  for (const name of names) {
    const [first, second] = all(found, name);
    if (second !== undefined) {
      throw problemAt(second, 'repeated_element', `${name} stands here for a second time.`);
    }
    if (first === undefined) return null;
    found = first;
  }
  return found;
}

/** The element at a path. Throws BankFileProblem where it is missing or stands twice. */
export function need(node: XmlNode, ...names: readonly string[]): XmlNode {
  const found = find(node, ...names);
  if (found === null) throw problemAt(node, 'missing_element', `${names.join('/')} is missing.`);
  return found;
}

/** The text of an element that holds nothing else, with its white space made single spaces. */
export function textOf(node: XmlNode): string {
  if (node.children.length > 0) {
    throw problemAt(node, 'misplaced_element', `${node.name} holds elements instead of a text.`);
  }
  return node.text.replaceAll(/\s+/g, ' ').trim();
}

/** The text at a path; null where there is none, or an empty one. */
export function textAt(node: XmlNode, ...names: readonly string[]): string | null {
  const found = find(node, ...names);
  const text = found === null ? '' : textOf(found);
  return text === '' ? null : text;
}

/** The text at a path that must be there. */
export function needText(node: XmlNode, ...names: readonly string[]): string {
  const found = need(node, ...names);
  const text = textOf(found);
  if (text === '') throw problemAt(found, 'bad_value', `${found.name} is empty.`);
  return text;
}

/** A code, or the bank's own word in its place. */
export interface CodeOrWord {
  readonly code: string | null;
  /** What the bank writes where it uses no code of the standard. */
  readonly proprietary: string | null;
}

/** An element that holds `Cd` or `Prtry`. */
export function codeOf(node: XmlNode): CodeOrWord {
  return { code: textAt(node, 'Cd'), proprietary: textAt(node, 'Prtry') };
}

const amountFaults = {
  bad_value: 'is not an amount of up to 18 digits without a sign.',
  amount_precision: 'has more decimal places than its currency.',
  unknown_currency: 'is in a currency that is not an active one of ISO 4217.',
} as const;

/** The amount of an element with the attribute `Ccy`, exact. Throws BankFileProblem where it cannot be. */
function moneyOf(node: XmlNode): Money {
  const currency = node.attributes.get('Ccy');
  if (currency === undefined) {
    throw problemAt(node, 'missing_element', 'The attribute Ccy is missing.');
  }
  const text = textOf(node);
  const money = moneyOfDecimal(text, currency);
  if (typeof money !== 'string') return money;
  throw problemAt(node, money, `${quoted(`${text} ${currency}`)} ${amountFaults[money]}`);
}

/** An amount in a currency, or with decimal places, that are not known. */
const uncountable = new Set<BankFileProblemCode>(['unknown_currency', 'amount_precision']);

/** The amount of an element, or why it cannot be exact. */
export function moneyOrProblem(node: XmlNode): Money | BankFileProblem {
  try {
    return moneyOf(node);
  } catch (error) {
    if (error instanceof BankFileProblem && uncountable.has(error.code)) return error;
    throw error;
  }
}

/** The amount of an element that books nothing; null where it cannot be exact. */
export function informativeMoney(node: XmlNode): Money | null {
  const money = moneyOrProblem(node);
  return money instanceof BankFileProblem ? null : money;
}

/** The informative amount at a path; null where there is none, or none that can be exact. */
export function moneyAt(node: XmlNode, ...names: readonly string[]): Money | null {
  const found = find(node, ...names);
  return found === null ? null : informativeMoney(found);
}

function badValue(node: XmlNode, expected: string): BankFileProblem {
  return problemAt(node, 'bad_value', `${quoted(textOf(node))} is not ${expected}.`);
}

/** Whether a year, month and day exist. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const dateForm = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;
const timeForm =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-4]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?$/;

function dayOf(node: XmlNode, form: RegExp, expected: string): string {
  const day = form.exec(textOf(node))?.[1];
  if (day === undefined || !isDay(day)) throw badValue(node, expected);
  return day;
}

/** The day of an element that holds `Dt` or `DtTm`, as the bank counts days: `2026-11-22`. */
export function dayAt(node: XmlNode, name: string): string | null {
  const choice = find(node, name);
  if (choice === null) return null;
  const date = find(choice, 'Dt');
  if (date !== null) return dayOf(date, dateForm, 'a date');
  return dayOf(need(choice, 'DtTm'), timeForm, 'a date with a time');
}

/** A date with a time as the bank writes it, often without a time zone. */
export function timeAt(node: XmlNode, ...names: readonly string[]): string | null {
  const found = find(node, ...names);
  if (found === null) return null;
  dayOf(found, timeForm, 'a date with a time');
  return textOf(found);
}

export type Direction = 'credit' | 'debit';

const directions: ReadonlyMap<string, Direction> = new Map([
  ['CRDT', 'credit'],
  ['DBIT', 'debit'],
]);

/** What `CdtDbtInd` says, from the account's side; null where it is missing. */
export function directionAt(node: XmlNode): Direction | null {
  const found = find(node, 'CdtDbtInd');
  if (found === null) return null;
  const direction = directions.get(textOf(found));
  if (direction === undefined) throw badValue(found, 'CRDT or DBIT');
  return direction;
}

/** As XML Schema writes a boolean. False where the element is missing. */
export function flagAt(node: XmlNode, name: string): boolean {
  const found = find(node, name);
  if (found === null) return false;
  const text = textOf(found);
  if (!['true', 'false', '1', '0'].includes(text)) throw badValue(found, 'true or false');
  return text === 'true' || text === '1';
}

/** More than any file holds, and what a 32-bit integer can hold. */
const largestCount = 2_147_483_647;

/** A count or number without a sign; null where the element is missing. */
export function countAt(node: XmlNode, ...names: readonly string[]): number | null {
  const found = find(node, ...names);
  if (found === null) return null;
  const text = textOf(found);
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Infinity;
  if (count > largestCount) throw badValue(found, `a whole number up to ${largestCount}`);
  return count;
}
