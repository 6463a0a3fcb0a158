import { BankFileProblem } from '../problem.ts';
import type { ReadEntry, FileControl, Totals } from './read-layout.ts';
import type { NachaLine } from './read-lines.ts';

/** The entry hash keeps its last ten digits. */
const hashModulus = 10_000_000_000n;

const names: Readonly<Record<keyof Totals, string>> = {
  entries: 'entries and addenda',
  hash: 'the entry hash',
  debitMinor: 'the total of debits',
  creditMinor: 'the total of credits',
};

function mismatch({ line }: NachaLine, what: string, stated: unknown, counted: unknown) {
  return new BankFileProblem(
    'control_mismatch',
    { line, path: null },
    `the control record says ${String(stated)} for ${what}; the file holds ${String(counted)}.`,
  );
}

/** What is counted of a batch, or of the whole file. */
export class Count {
  #entries = 0;
  #hash = 0n;
  #debitMinor = 0n;
  #creditMinor = 0n;

  addEntry({ routingNumber, direction, amountMinor }: ReadEntry): void {
    this.#entries += 1;
    this.#hash += BigInt(routingNumber.slice(0, 8));
    if (direction === 'credit') this.#creditMinor += amountMinor;
    else this.#debitMinor += amountMinor;
  }

  addAddenda(): void {
    this.#entries += 1;
  }

  /** Throws BankFileProblem `control_mismatch` where the control record says something else. */
  compare(record: NachaLine, stated: Totals): void {
    const counted: Totals = {
      entries: this.#entries,
      hash: this.#hash % hashModulus,
      debitMinor: this.#debitMinor,
      creditMinor: this.#creditMinor,
    };
    for (const key of ['entries', 'hash', 'debitMinor', 'creditMinor'] as const) {
      if (stated[key] !== counted[key]) {
        throw mismatch(record, names[key], stated[key], counted[key]);
      }
    }
  }
}

/** Compares what the file control says of batches and of blocks, ten records each. */
export function compareFile(
  record: NachaLine,
  stated: FileControl,
  batches: number,
  records: number,
): void {
  if (stated.batches !== batches) throw mismatch(record, 'batches', stated.batches, batches);
  const blocks = Math.ceil(records / 10);
  if (stated.blocks !== blocks) throw mismatch(record, 'blocks', stated.blocks, blocks);
}

export function compareBatch(
  record: NachaLine,
  what: string,
  header: string | number,
  control: string | number,
): void {
  if (header !== control) throw mismatch(record, what, control, header);
}
