import { BankFileProblem } from '../problem.ts';
import type { AchEntryReport, BankReport } from '../report.ts';
import { changePart } from './read-changes.ts';
import { compareBatch, compareFile, Count } from './read-control.ts';
import {
  badRecord,
  batchControl,
  batchHeader,
  entry,
  fileControl,
  fileHeader,
} from './read-layout.ts';
import type { BatchHeader, ReadEntry } from './read-layout.ts';
import { readLines, usualNachaLimits, type NachaLimits, type NachaLine } from './read-lines.ts';
import { returnPart } from './read-returns.ts';

const filler = '9'.repeat(94);

/** The batch that is being read, and its latest entry. */
interface Batch {
  readonly header: BatchHeader;
  readonly count: Count;
  entry: { readonly read: ReadEntry; readonly record: NachaLine; told: boolean } | null;
}

/** Reads the records of a file in their order: 1, then 5, 6, 7 and 8 for each batch, then 9. */
class FileReading {
  readonly #count = new Count();
  #records = 0;
  #batches = 0;
  #begun = false;
  #ended = false;
  #batch: Batch | null = null;

  /** What a record says; most complete what an earlier one began. */
  *read(record: NachaLine): Generator<BankReport> {
    if (this.#ended) return this.#afterEnd(record);
    this.#records += 1;
    const kind = record.text.charAt(0);
    if (kind === '1' || !this.#begun) yield this.#header(record, kind);
    else if (kind === '5') this.#openBatch(record);
    else if (kind === '9') this.#end(record);
    else if (this.#batch === null) throw badRecord(record, 'a record of a batch stands outside.');
    else if (kind === '6') {
      yield* this.#untold(this.#batch);
      this.#entry(this.#batch, record);
    } else if (kind === '7') yield* this.#addenda(this.#batch, record);
    else if (kind === '8') {
      yield* this.#untold(this.#batch);
      this.#closeBatch(this.#batch, record);
    } else throw badRecord(record, 'a record begins with none of 1, 5, 6, 7, 8 and 9.');
  }

  /** Throws BankFileProblem `cut_off` where the control record has not come. */
  finish(line: number): void {
    if (this.#ended) return;
    throw new BankFileProblem(
      'cut_off',
      { line, path: null },
      'the file ends before its control record.',
    );
  }

  #afterEnd(record: NachaLine): void {
    if (record.text === filler || record.text.trim() === '') return;
    const place = { line: record.line, path: null };
    throw new BankFileProblem('cut_off', place, 'a record follows the control record of the file.');
  }

  #header(record: NachaLine, kind: string): BankReport {
    if (kind !== '1' || this.#begun) {
      throw badRecord(record, 'a file begins with one header, a record 1.');
    }
    this.#begun = true;
    const { createdAt, reference } = fileHeader(record);
    const place = { line: record.line, path: null };
    return { kind: 'file', format: 'nacha', messageId: reference, createdAt, place };
  }

  #openBatch(record: NachaLine): void {
    if (this.#batch !== null) throw badRecord(record, 'a batch begins before the last one ended.');
    const header = batchHeader(record);
    if (header.entryClass === 'ADV') throw badRecord(record, 'accounting advices are not read.');
    this.#batches += 1;
    this.#batch = { header, count: new Count(), entry: null };
  }

  #entry(batch: Batch, record: NachaLine): void {
    const read = entry(record, batch.header.entryClass);
    batch.count.addEntry(read);
    this.#count.addEntry(read);
    batch.entry = { read, record, told: false };
  }

  *#addenda(batch: Batch, record: NachaLine): Generator<BankReport> {
    const open = batch.entry;
    if (open === null) throw badRecord(record, 'addenda stand before the first entry.');
    if (!open.read.hasAddenda) throw badRecord(record, 'the entry says that it has no addenda.');
    batch.count.addAddenda();
    this.#count.addAddenda();
    const type = record.text.slice(1, 3);
    if (type !== '98' && type !== '99') return;
    open.told = true;
    const common = this.#common(batch.header, open.read, record);
    yield { ...common, ...(type === '99' ? returnPart(record) : changePart(record)) };
  }

  /** An entry that no addenda return or correct. */
  *#untold({ header, entry: open }: Batch): Generator<BankReport> {
    if (open === null || open.told) return;
    yield { kind: 'ach_entry', ...this.#common(header, open.read, open.record) };
  }

  #common(header: BatchHeader, read: ReadEntry, record: NachaLine): Omit<AchEntryReport, 'kind'> {
    const { hasAddenda: _, amountMinor, ...said } = read;
    return {
      entryClass: header.entryClass,
      companyName: header.companyName,
      companyId: header.companyId,
      entryDescription: header.entryDescription,
      batch: header.number,
      ...said,
      amount: { minor: amountMinor, currency: 'USD' },
      place: { line: record.line, path: null },
    };
  }

  #closeBatch({ header, count }: Batch, record: NachaLine): void {
    const control = batchControl(record);
    compareBatch(record, 'the number of the batch', header.number, control.number);
    compareBatch(record, 'the service class', header.serviceClass, control.serviceClass);
    count.compare(record, control);
    this.#batch = null;
  }

  #end(record: NachaLine): void {
    if (this.#batch !== null) throw badRecord(record, 'the file ends within a batch.');
    const control = fileControl(record);
    compareFile(record, control, this.#batches, this.#records);
    this.#count.compare(record, control);
    this.#ended = true;
  }
}

/**
 * Reads a NACHA file as a stream: returns, notifications of change, and entries that are neither. What was
 * yielded before a problem counts for nothing, since the totals stand at the end: a file is good when the
 * generator ends.
 *
 * @throws BankFileProblem `bad_record`, `control_mismatch`, `cut_off` or `file_too_large`
 * @see https://achdevguide.nacha.org/ach-file-details
 */
export async function* readNacha(
  chunks: AsyncIterable<Uint8Array>,
  limits: NachaLimits = usualNachaLimits,
): AsyncGenerator<BankReport> {
  const reading = new FileReading();
  let line = 1;
  for await (const record of readLines(chunks, limits)) {
    line = record.line;
    yield* reading.read(record);
  }
  reading.finish(line);
}
