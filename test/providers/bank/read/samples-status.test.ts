import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../src/providers/bank/iso20022/read-reason-codes.ts';
import { railsMissing } from '../config.ts';
import { chunksOf, ofKind, readAll, readSample, sampleBytes } from './support.ts';

const folder = 'iso20022/samples';
const statusesOf = async (file: string) =>
  ofKind(await readSample(`${folder}/${file}`), 'status').map(
    ({ level, status, reasons, references, originalMessageId }) => ({
      level,
      status,
      means: reasons.length === 0 ? null : failureOf(reasons),
      to: references.endToEndId ?? references.paymentInformationId ?? originalMessageId,
    }),
  );

describe.skipIf(railsMissing !== null)(`status reports of banks ${railsMissing ?? ''}`, () => {
  it('reads a file that the bank could not parse as refused, without the id of the message', async () => {
    const [file, group] = await readSample(`${folder}/cross_river-pain_002_batch_rejected.xml`);
    expect(file).toMatchObject({ kind: 'file', format: 'pain.002.001.03' });
    expect(group).toMatchObject({
      level: 'group',
      status: 'RJCT',
      originalMessageId: null,
      originalMessageName: 'pain.008.001.02',
      transactions: 0,
      reasons: [{ code: 'NARR', texts: [expect.stringContaining('does not match the end tag')] }],
    });
  });

  it('reads an acceptance at three levels', async () => {
    expect(await statusesOf('cross_river-pain_002_credit_accepted.xml')).toEqual([
      { level: 'group', status: 'ACTC', means: null, to: 'AMBCD10000000' },
      { level: 'payment_information', status: 'ACTC', means: null, to: 'ABCD10000000' },
      { level: 'transaction', status: 'ACSP', means: null, to: '0000000000000108' },
    ]);
  });

  const versions = Array.from({ length: 12 }, (_, index) => String(index + 3).padStart(2, '0'));

  it.each([
    ...versions.map((version) => `urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}`),
    'http://www.six-interbank-clearing.com/de/pain.002.001.03.ch.02.xsd',
  ])('reads the same parts of %s', async (namespace) => {
    const sample = sampleBytes(`${folder}/nordea-pain_002_v3_txn_reject.xml`).toString();
    const other = sample.replace('urn:iso:std:iso:20022:tech:xsd:pain.002.001.03', namespace);
    const [, ...parts] = await readAll(chunksOf(Buffer.from(other)));
    const [, ...expected] = await readSample(`${folder}/nordea-pain_002_v3_txn_reject.xml`);
    expect(other).toContain(namespace);
    expect(parts).toEqual(expected);
  });

  it('takes a refusal that says in words that the payment exists for a duplicate', async () => {
    expect(await statusesOf('cross_river-pain_002_transaction_rejected.xml')).toEqual([
      { level: 'group', status: 'ACTC', means: null, to: 'missing2' },
      { level: 'payment_information', status: 'RJCT', means: null, to: 'missing2' },
      { level: 'transaction', status: 'RJCT', means: 'duplicate', to: 'sanity-10-1-12-1-21' },
      { level: 'transaction', status: 'RJCT', means: 'duplicate', to: 'example01234567' },
      { level: 'transaction', status: 'RJCT', means: 'duplicate', to: 'example012345678' },
    ]);
  });

  it('reads the amount and the bank’s reference of an accepted payment', async () => {
    const file = `${folder}/goldman_sachs-pain_002_v3_accepted.xml`;
    const [group, batch, transaction] = ofKind(await readSample(file), 'status');
    expect(group).toMatchObject({
      status: null,
      originalMessageId: '10280093XXXX',
      transactions: 2,
    });
    expect(batch).toMatchObject({ status: null, references: { paymentInformationId: '3B-CCY' } });
    expect(transaction).toMatchObject({
      status: 'ACCP',
      references: { endToEndId: 'GSDGFKfLURaHb', paymentInformationId: '3B-CCY' },
      amount: { minor: 1000n, currency: 'USD' },
      servicerReference: 'I200820000XXXXX',
      place: { line: 18, path: '/Document/CstmrPmtStsRpt[1]/OrgnlPmtInfAndSts[1]/TxInfAndSts' },
    });
  });

  it('reads texts without a code', async () => {
    const file = `${folder}/goldman_sachs-pain_002_v3_group_accepted.xml`;
    expect(ofKind(await readSample(file), 'status')).toMatchObject([
      {
        level: 'group',
        status: 'ACTC',
        reasons: [{ code: null, proprietary: null, texts: [{}, {}].map(() => expect.any(String)) }],
      },
    ]);
  });

  it('takes the duplicate of a whole file for no failure', async () => {
    expect(await statusesOf('nordea-pain_002_v3_group_reject.xml')).toEqual([
      { level: 'group', status: 'RJCT', means: 'duplicate', to: 'MSGID-PS-TEST-0708-01' },
    ]);
  });

  it('reads refusals of a batch and of payments', async () => {
    const refused = {
      code: 'provider_rejected',
      message: expect.stringContaining('CAP Invalid code') as string,
    };
    expect(await statusesOf('nordea-pain_002_v3_payment_reject.xml')).toEqual([
      { level: 'group', status: null, means: null, to: 'MSGID-COM-SCE25-1707-01' },
      {
        level: 'payment_information',
        status: 'RJCT',
        means: refused,
        to: 'PMTINFID-COM-SCE25-1707-01',
      },
    ]);
    expect(await statusesOf('nordea-pain_002_v3_txn_reject.xml')).toEqual([
      { level: 'group', status: null, means: null, to: 'MSGID-950-TEST2-2807-01' },
      {
        level: 'payment_information',
        status: 'RJCT',
        means: null,
        to: 'PMTINFID-950-TEST2-2807-01',
      },
      {
        level: 'transaction',
        status: 'RJCT',
        means: refused,
        to: 'ENDTOENDID-950-TEST2-2807-02',
      },
      {
        level: 'transaction',
        status: 'RJCT',
        means: refused,
        to: 'ENDTOENDID-950-TEST2-2807-01',
      },
    ]);
  });
});
