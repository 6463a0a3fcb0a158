import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../src/providers/bank/iso20022/read-reason-codes.ts';
import type { BankReport } from '../../../../src/providers/bank/report.ts';
import { rails, railsMissing } from '../config.ts';
import { chunksOf, ofKind, problemOf, readSample, sampleBytes } from './support.ts';

const folder = 'iso20022/samples';
const read = (file: string): Promise<BankReport[]> => readSample(`${folder}/${file}`);

/** The signed amounts of the entries, as a person adds them up. */
const amounts = (reports: readonly BankReport[]): bigint[] =>
  ofKind(reports, 'entry').map(({ amount, direction }) => {
    const minor = amount?.minor ?? 0n;
    return direction === 'credit' ? minor : -minor;
  });

describe.skipIf(railsMissing !== null)(`statements of banks ${railsMissing ?? ''}`, () => {
  it('has a test for every sample', () => {
    const statements = readdirSync(join(rails, folder)).filter(
      (name) => !name.includes('pain_002'),
    );
    expect(statements).toEqual([
      'genkgo-camt053.v2.all-balance-types.xml',
      'genkgo-camt053.v2.multi.statement.xml',
      'genkgo-camt053.v2.wrong.xml',
      'genkgo-camt053.v8.xml',
      'genkgo-camt054.v8-with-UETR.xml',
      'genkgo-camt054.v8.xml',
      'goldman_sachs-camt_053_us_v2_sample.xml',
      'ing-example_camt.xml',
      'nordea-example_camt.xml',
    ]);
  });

  it('reads every type of balance', async () => {
    const reports = await read('genkgo-camt053.v2.all-balance-types.xml');
    const [statement] = ofKind(reports, 'statement');
    expect(statement?.account).toEqual({
      iban: null,
      other: 'CH2801234000123456789',
      currency: null,
    });
    expect(statement?.balances.map(({ type, minor }) => `${type} ${minor}`)).toEqual([
      'OPBD 101',
      'PRCD 202',
      'OPAV 303',
      'CLBD 404',
      'CLAV 505',
      'FWAV 606',
      'INFO 707',
      'ITAV 808',
      'ITBD 909',
      'XPCD 1010',
    ]);
    // 8.850 has a place more than the euro, and the same value as 8.85.
    expect(amounts(reports)).toEqual([885n]);
    expect(ofKind(reports, 'statement_end')).toMatchObject([{ unexplainedMinor: -582n }]);
  });

  it('reads two statements of one file', async () => {
    const reports = await read('genkgo-camt053.v2.multi.statement.xml');
    expect(ofKind(reports, 'statement')).toMatchObject([
      {
        id: '253EURNL26VAYB8060476890',
        electronicSequence: 12312,
        legalSequence: 12312,
        copy: 'CODU',
        from: '2007-10-18T08:00:00+01:00',
      },
      { id: '254EURNL26VAYB8060476890', electronicSequence: null, copy: null },
    ]);
    expect(ofKind(reports, 'entry').map(({ number, place }) => [number, place.path])).toEqual([
      [1, '/Document/BkToCstmrStmt[1]/Stmt[1]/Ntry[1]'],
      [1, '/Document/BkToCstmrStmt[1]/Stmt[2]/Ntry[1]'],
    ]);
    expect(ofKind(reports, 'statement_end')).toMatchObject([
      { entries: 1, bookedMinor: 885n, unexplainedMinor: 0n },
      { entries: 1, bookedMinor: -700n, unexplainedMinor: 0n },
    ]);
  });

  it('refuses the one that is wrong on purpose: it has no statement', async () => {
    const problem = await problemOf(chunksOf(sampleBytes(`${folder}/genkgo-camt053.v2.wrong.xml`)));
    expect(problem.code).toBe('missing_element');
    expect(problem.message).toBe('line 8, /Document/BkToCstmrStmt[1]: Stmt is missing.');
  });

  it('reads the newer version: page, status as a code, parties a level deeper', async () => {
    const reports = await read('genkgo-camt053.v8.xml');
    expect(ofKind(reports, 'file')).toMatchObject([{ format: 'camt.053.001.08' }]);
    expect(ofKind(reports, 'statement')).toMatchObject([{ page: { number: 2, last: true } }]);
    expect(ofKind(reports, 'entry')).toMatchObject([
      { status: 'booked', statusCode: 'BOOK', details: [{ remittance: ['4654654654654654'] }] },
    ]);
  });

  it('reads notifications, with the batch, its payments and a UETR', async () => {
    const [one] = ofKind(await read('genkgo-camt054.v8-with-UETR.xml'), 'entry');
    expect(one).toMatchObject({
      amount: { minor: 20_000_000n, currency: 'SEK' },
      bankCode: null,
      details: [{ references: { uetr: '255ae394-9965-4438-ac86-f406feada396' } }],
    });
    const reports = await read('genkgo-camt054.v8.xml');
    expect(ofKind(reports, 'statement')).toMatchObject([{ balances: [] }]);
    expect(ofKind(reports, 'statement_end')).toMatchObject([{ bookedMinor: null }]);
    const [batch] = ofKind(reports, 'entry');
    expect(batch?.batches).toEqual([
      {
        messageId: 'UXC06170000006',
        paymentInformationId: 'UXC06170000006PI00001',
        transactions: 2,
        total: { minor: 630n, currency: 'CHF' },
        direction: 'debit',
        details: 3,
      },
    ]);
    expect(batch?.details[1]).toMatchObject({
      references: { endToEndId: 'UXC06170000006PI00001EE00002' },
      amount: { minor: 320n, currency: 'CHF' },
      remittance: ['ISR ref number V2', 'Additional Remittance Information V2'],
    });
  });

  it('reads a Dutch statement: batches without details, a return, a reversal; it adds up', async () => {
    const reports = await read('ing-example_camt.xml');
    expect(amounts(reports)).toEqual([
      35_000n,
      12_500n,
      12_000n,
      27_000n,
      12_500n,
      -2_500n,
      -30_000n,
      -3_000n,
      -3_000n,
    ]);
    const entries = ofKind(reports, 'entry');
    expect(entries[6]).toMatchObject({
      batches: [{ paymentInformationId: '20140103MctBtchId2VZ', transactions: 2, details: 0 }],
      details: [],
    });
    const returned = entries[4]?.details[0]?.returned;
    expect(returned).toEqual({ code: 'AC04', proprietary: null, texts: [] });
    expect(failureOf(returned === null || returned === undefined ? [] : [returned])).toEqual({
      code: 'account_closed',
      message: 'AC04: The account is closed',
    });
    expect(entries[5]?.details[0]?.references.endToEndId).toBe('INGBE2EId545448451E5');
    expect(entries[8]).toMatchObject({ reversal: true, valueDay: '2013-12-20' });
    expect(ofKind(reports, 'statement')).toMatchObject([{ statedEntries: 9 }]);
    expect(ofKind(reports, 'statement_end')).toMatchObject([{ entries: 9, unexplainedMinor: 0n }]);
  });

  it('reads a Finnish statement with all references of an own payment', async () => {
    const reports = await read('nordea-example_camt.xml');
    const own = ofKind(reports, 'entry')[2];
    expect(own).toMatchObject({
      direction: 'debit',
      amount: { minor: 70_050n },
      bankCode: { domain: 'PMNT', family: 'ICDT', subFamily: 'ESCT' },
    });
    expect(own?.details[0]?.references).toEqual({
      messageId: '0001',
      servicerReference: '1905082588CEAG0003',
      paymentInformationId: 'PMNTINFID08052019',
      instructionId: 'INSTRID20190508',
      endToEndId: '20190508-E123456',
      uetr: null,
      transactionId: null,
      clearingReference: null,
    });
    expect(ofKind(reports, 'statement_end')).toMatchObject([{ entries: 6, unexplainedMinor: 0n }]);
  });

  it('reads a US statement: debit balances, other currencies, return codes of NACHA', async () => {
    const reports = await read('goldman_sachs-camt_053_us_v2_sample.xml');
    const [statement] = ofKind(reports, 'statement');
    expect(statement?.balances[1]).toMatchObject({ type: 'CLBD', minor: -84_666_515n });
    const entries = ofKind(reports, 'entry');
    expect(entries).toHaveLength(15);
    expect(entries[7]).toMatchObject({
      amount: { minor: 2_906n, currency: 'EUR' },
      details: [{ instructed: { minor: 2_500n, currency: 'USD' } }],
    });
    // One entry is in another currency than the account, so nothing can be added up.
    expect(ofKind(reports, 'statement_end')).toMatchObject([{ unexplainedMinor: null }]);
    expect(entries[12]).toMatchObject({ reversal: true, direction: 'credit' });
    expect(
      failureOf([
        entries[12]?.details[0]?.returned ?? { code: null, proprietary: null, texts: [] },
      ]),
    ).toEqual({
      code: 'account_closed',
      message: 'R02: The account is closed',
    });
    expect(entries[14]?.details[0]?.references.paymentInformationId).toBe('CLIENTID200928A0000001');
  });
});
