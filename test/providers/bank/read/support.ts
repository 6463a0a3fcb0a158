import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  BankFileProblem,
  type BankFileProblemCode,
} from '../../../../src/providers/bank/problem.ts';
import { readBankFile } from '../../../../src/providers/bank/read-file.ts';
import type { BankReport } from '../../../../src/providers/bank/report.ts';
import { rails } from '../config.ts';

/** A file as chunks of some length, the last one shorter. */
export async function* chunksOf(bytes: Buffer, length = 65_536): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += length) {
    yield bytes.subarray(start, start + length);
  }
}

export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<BankReport[]> {
  const reports: BankReport[] = [];
  for await (const report of readBankFile(chunks)) reports.push(report);
  return reports;
}

export const readText = (text: string, length?: number): Promise<BankReport[]> =>
  readAll(chunksOf(Buffer.from(text), length));

/** The problem that a file has; fails for a file that is read, and for every other error. */
export async function problemOf(chunks: AsyncIterable<Uint8Array>): Promise<BankFileProblem> {
  let error: unknown = null;
  try {
    await readAll(chunks);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(BankFileProblem);
  return error as BankFileProblem;
}

export async function refusal(file: string | Buffer): Promise<BankFileProblemCode> {
  return (await problemOf(chunksOf(Buffer.from(file)))).code;
}

/** The reports of one kind. */
export function ofKind<Kind extends BankReport['kind']>(
  reports: readonly BankReport[],
  kind: Kind,
): Extract<BankReport, { kind: Kind }>[] {
  return reports.filter((report) => report.kind === kind) as Extract<BankReport, { kind: Kind }>[];
}

export const sampleBytes = (path: string): Buffer => readFileSync(join(rails, path));

export const readSample = (path: string): Promise<BankReport[]> =>
  readAll(chunksOf(sampleBytes(path), 997));

/** A message with a body; `inner` stands in it. */
export function message(format: string, body: string, inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:${format}"><${body}>${inner}</${body}></Document>`;
}

export const header = '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-22T06:00:00Z</CreDtTm></GrpHdr>';

export const statement = (inner: string): string =>
  message(
    'camt.053.001.08',
    'BkToCstmrStmt',
    `${header}<Stmt><Id>S1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${inner}</Stmt>`,
  );

export const entry = (inner = '', amount = '<Amt Ccy="EUR">1.00</Amt>'): string =>
  `<Ntry>${amount}<CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>${inner}</Ntry>`;
