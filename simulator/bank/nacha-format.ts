/**
 * Reads a Nacha file by the positions that the format gives (Nacha Operating Rules, appendix 3), and
 * refuses what contradicts itself. It shares nothing with the service's writer and reader.
 */
export interface NachaEntry {
  readonly code: string;
  readonly routingNumber: string;
  readonly account: string;
  readonly cents: number;
  readonly identification: string;
  readonly name: string;
  readonly trace: string;
  readonly addenda: readonly { readonly type: string; readonly text: string }[];
}

export interface NachaBatch {
  readonly serviceClass: string;
  readonly company: string;
  readonly companyId: string;
  readonly entryClass: string;
  readonly description: string;
  readonly effectiveDate: string;
  readonly bank: string;
  readonly number: number;
  readonly entries: readonly NachaEntry[];
}

export interface NachaFile {
  readonly destination: string;
  readonly origin: string;
  readonly created: string;
  readonly modifier: string;
  readonly reference: string;
  readonly batches: readonly NachaBatch[];
}

/** The characters of a line by their positions, counted from 1 as the format does. */
const at = (line: string, from: number, to: number) => line.slice(from - 1, to);
const numberAt = (line: string, from: number, to: number) => {
  const text = at(line, from, to);
  if (!/^[0-9]+$/.test(text)) throw new Error(`no number at ${from}-${to}: ${line}`);
  return Number(text);
};

function same(what: string, said: unknown, found: unknown): void {
  if (said !== found) throw new Error(`${what}: said ${String(said)}, found ${String(found)}`);
}

/** What the entries of some lines add up to. Codes that end in 0 to 4 are credits, 5 to 9 debits. */
function sums(lines: readonly string[]) {
  const entries = lines.filter((line) => line.startsWith('6'));
  const cents = (isDebit: boolean) =>
    entries
      .filter((line) => numberAt(line, 3, 3) >= 5 === isDebit)
      .reduce((sum, line) => sum + numberAt(line, 30, 39), 0);
  const hash = entries.reduce((sum, line) => sum + numberAt(line, 4, 11), 0);
  return {
    count: lines.filter((line) => /^[67]/.test(line)).length,
    hash: hash % 10 ** 10,
    debit: cents(true),
    credit: cents(false),
  };
}

function readEntry(line: string, addenda: readonly string[]): NachaEntry {
  same('the addenda indicator', numberAt(line, 79, 79), addenda.length === 0 ? 0 : 1);
  for (const [index, one] of addenda.entries()) {
    if (at(one, 2, 3) !== '05') continue;
    same('the sequence of the addenda', numberAt(one, 84, 87), index + 1);
    same('the entry of the addenda', at(one, 88, 94), at(line, 88, 94));
  }
  return {
    code: at(line, 2, 3),
    routingNumber: at(line, 4, 12),
    account: at(line, 13, 29).trimEnd(),
    cents: numberAt(line, 30, 39),
    identification: at(line, 40, 54).trimEnd(),
    name: at(line, 55, 76).trimEnd(),
    trace: at(line, 80, 94),
    addenda: addenda.map((one) => ({ type: at(one, 2, 3), text: at(one, 4, 83).trimEnd() })),
  };
}

function readBatch(lines: readonly string[]): NachaBatch {
  const [head = '', ...rest] = lines;
  const control = rest.at(-1) ?? '';
  const body = rest.slice(0, -1);
  const entries: NachaEntry[] = [];
  for (const [index, line] of body.entries()) {
    if (!line.startsWith('6')) continue;
    const end = body.findIndex((other, place) => place > index && other.startsWith('6'));
    entries.push(readEntry(line, body.slice(index + 1, end === -1 ? body.length : end)));
  }
  for (const [index, { trace }] of entries.entries()) {
    const before = entries[index - 1]?.trace ?? '';
    if (trace <= before) throw new Error(`trace ${trace} does not ascend`);
  }
  const found = sums(body);
  same('the count of the batch', numberAt(control, 5, 10), found.count);
  same('the hash of the batch', numberAt(control, 11, 20), found.hash);
  same('the debits of the batch', numberAt(control, 21, 32), found.debit);
  same('the credits of the batch', numberAt(control, 33, 44), found.credit);
  same('the service class', at(control, 2, 4), at(head, 2, 4));
  same('the company', at(control, 45, 54).trim(), at(head, 41, 50).trim());
  same('the bank', at(control, 80, 87), at(head, 80, 87));
  same('the number of the batch', at(control, 88, 94), at(head, 88, 94));
  return {
    serviceClass: at(head, 2, 4),
    company: at(head, 5, 20).trimEnd(),
    companyId: at(head, 41, 50).trimEnd(),
    entryClass: at(head, 51, 53),
    description: at(head, 54, 63).trimEnd(),
    effectiveDate: at(head, 70, 75),
    bank: at(head, 80, 87),
    number: numberAt(head, 88, 94),
    entries,
  };
}

/** Throws at the first thing that the format does not permit. */
export function readNachaFile(text: string): NachaFile {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  for (const line of lines) same(`the length of ${line}`, line.length, 94);
  same('the rest of the last block', lines.length % 10, 0);
  const end = lines.findIndex((line) => line.startsWith('9'));
  const [head = ''] = lines;
  const control = lines[end] ?? '';
  for (const line of lines.slice(end + 1)) same('a filler', line, '9'.repeat(94));
  same('the kind of the file header', at(head, 1, 3), '101');
  same('the size of records and blocks', at(head, 35, 40), '094101');

  const batches: NachaBatch[] = [];
  let open: string[] = [];
  for (const line of lines.slice(1, end)) {
    if (line.startsWith('5')) open = [];
    open.push(line);
    if (line.startsWith('8')) batches.push(readBatch(open));
  }
  const found = sums(lines.slice(1, end));
  same('the count of batches', numberAt(control, 2, 7), batches.length);
  same('the count of blocks', numberAt(control, 8, 13), lines.length / 10);
  same('the count of the file', numberAt(control, 14, 21), found.count);
  same('the hash of the file', numberAt(control, 22, 31), found.hash);
  same('the debits of the file', numberAt(control, 32, 43), found.debit);
  same('the credits of the file', numberAt(control, 44, 55), found.credit);
  return {
    destination: at(head, 4, 13).trim(),
    origin: at(head, 14, 23).trim(),
    created: at(head, 24, 33),
    modifier: at(head, 34, 34),
    reference: at(head, 87, 94).trim(),
    batches,
  };
}
