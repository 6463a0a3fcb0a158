import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeBy, type Judgement } from '../../../../src/providers/bank/iso20022/read-judgement.ts';
import {
  failureOf,
  reasonCodes,
} from '../../../../src/providers/bank/iso20022/read-reason-codes.ts';
import {
  statusCodes,
  verdictOf,
} from '../../../../src/providers/bank/iso20022/read-status-codes.ts';
import { rails, railsMissing } from '../config.ts';
import { header, message, ofKind, readText } from './support.ts';

const payment = {
  messageId: 'MSG1',
  paymentInformationId: 'PMT1',
  endToEndId: 'END1',
  instructionId: 'INS1',
  uetr: 'AAAAAAAA-0000-4000-8000-000000000001',
};

const otherPayment = { ...payment, endToEndId: 'END2', instructionId: 'INS2', uetr: null };

const status = (name: string, code: string | null, reason = ''): string =>
  `${code === null ? '' : `<${name}>${code}</${name}>`}${reason === '' ? '' : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf>`}`;
const group = (code: string | null, reason = '', id = 'MSG1'): string =>
  `<OrgnlGrpInfAndSts><OrgnlMsgId>${id}</OrgnlMsgId>${status('GrpSts', code, reason)}</OrgnlGrpInfAndSts>`;
const batch = (code: string | null, inner = '', reason = '', id = 'PMT1'): string =>
  `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${id}</OrgnlPmtInfId>${status('PmtInfSts', code, reason)}${inner}</OrgnlPmtInfAndSts>`;
const transaction = (
  code: string | null,
  reason = '',
  references = '<OrgnlEndToEndId>END1</OrgnlEndToEndId>',
): string => `<TxInfAndSts>${references}${status('TxSts', code, reason)}</TxInfAndSts>`;
const otherOne = transaction('RJCT', 'AC01', '<OrgnlEndToEndId>END2</OrgnlEndToEndId>');

async function judged(...parts: readonly string[]): Promise<Judgement | null> {
  const text = message('pain.002.001.10', 'CstmrPmtStsRpt', header + parts.join(''));
  return judgeBy(ofKind(await readText(text), 'status'), [payment, otherPayment])(payment);
}

const verdict = async (...parts: readonly string[]): Promise<string | null> =>
  (await judged(...parts))?.verdict ?? null;

describe('the most special status counts', () => {
  it.each([
    [
      'a transaction over its batch and group',
      'settled',
      [group('ACTC'), batch('RJCT', transaction('ACSC'))],
    ],
    ['a batch over its group', 'in_process', [group('ACTC'), batch('ACSP')]],
    ['a group alone', 'accepted', [group('ACCP')]],
    [
      'a group without a refusal, for a payment that is not listed',
      'accepted',
      [group('ACTC'), batch(null, otherOne)],
    ],
    [
      'the group where the transaction has no status',
      'pending',
      [group('RCVD'), batch(null, transaction(null))],
    ],
    ['a refused group without transactions', 'rejected', [group('RJCT', 'FF01')]],
    ['a refused batch without transactions', 'rejected', [group(null), batch('RJCT', '', 'FF01')]],
    [
      'a refused batch that lists the payment without a status',
      'rejected',
      [group(null), batch('RJCT', transaction(null), 'FF01')],
    ],
    ['a duplicate group', 'duplicate', [group('RJCT', 'DUPL')]],
    [
      'a duplicate transaction',
      'duplicate',
      [group('PART'), batch(null, transaction('RJCT', 'AM05'))],
    ],
    ['canceled', 'canceled', [group('PART'), batch(null, transaction('CANC'))]],
    ['nothing of a payment in a partial group', null, [group('PART'), batch(null, otherOne)]],
    ['nothing of another message', null, [group('RJCT', 'FF01', 'MSG9')]],
    ['nothing of another batch', null, [group(null), batch('RJCT', '', 'FF01', 'PMT9')]],
    ['nothing of another payment', null, [group(null), batch(null, otherOne)]],
  ])('%s', async (_, expected, parts) => {
    expect(await verdict(...parts)).toBe(expected);
  });

  it('is in doubt where all is refused and other payments are listed', async () => {
    expect(await judged(group(null), batch('RJCT', otherOne, 'FF01'))).toMatchObject({
      verdict: 'unknown',
      doubt: 'The bank refuses all and lists payments, but not this one.',
    });
    expect(await verdict(group('RJCT', 'FF01'), batch(null, otherOne))).toBe('unknown');
  });

  it('is in doubt where two statuses contradict each other, and not where they agree', async () => {
    const rejected = transaction('RJCT', 'AC01');
    expect(await verdict(group(null), batch(null, rejected + transaction('ACSC')))).toBe('unknown');
    expect(await verdict(group(null), batch(null, rejected + rejected))).toBe('rejected');
  });

  it('is in doubt about a status that it does not know', async () => {
    expect(await judged(group(null), batch(null, transaction('BLCK')))).toMatchObject({
      verdict: 'unknown',
      failure: null,
      doubt: 'The status BLCK is not known.',
    });
  });
});

describe('the verification of a payee comes before the execution', () => {
  it.each(['RCVC', 'RVMC', 'RVNM', 'RVNA', 'RVNC', 'RVCM'])(
    'and %s refuses nothing',
    async (code) => {
      const expected = { verdict: 'pending', failure: null, doubt: null };
      expect(await judged(group(code))).toMatchObject(expected);
      expect(await judged(group('RVCM'), batch(null, transaction(code)))).toMatchObject(expected);
    },
  );

  it.skipIf(railsMissing !== null).each([
    ['vop/vop-completed.xml', ['RCVC']],
    ['vop/vop-completed-with-mismatches.xml', ['RVCM', null, 'RVNM']],
  ])('in %s of a bank', async (name, expected) => {
    const reports = ofKind(await readText(readFileSync(join(rails, name), 'utf8')), 'status');
    const statuses = reports.map(({ status: one }) => one);
    expect(statuses.slice(0, expected.length)).toEqual(expected);
    const verdicts = statuses.flatMap((one) => (one === null ? [] : verdictOf(one)));
    expect(new Set(verdicts)).toEqual(new Set(['pending']));
  });
});

describe('a transaction is found', () => {
  it.each([
    ['by its UETR', '<OrgnlUETR>aaaaaaaa-0000-4000-8000-000000000001</OrgnlUETR>', 'settled'],
    [
      'by its instruction, where the bank has no other',
      '<OrgnlInstrId>INS1</OrgnlInstrId>',
      'settled',
    ],
    [
      'by its instruction beside a placeholder',
      '<OrgnlInstrId>INS1</OrgnlInstrId><OrgnlEndToEndId>NOTPROVIDED</OrgnlEndToEndId>',
      'settled',
    ],
    [
      'not by its instruction beside a reference that is nobody’s',
      '<OrgnlInstrId>INS1</OrgnlInstrId><OrgnlEndToEndId>END9</OrgnlEndToEndId>',
      null,
    ],
    [
      'in doubt by its instruction beside a reference of another payment',
      '<OrgnlInstrId>INS1</OrgnlInstrId><OrgnlEndToEndId>END2</OrgnlEndToEndId>',
      'unknown',
    ],
    [
      'in doubt by its UETR beside a reference of another payment',
      '<OrgnlEndToEndId>END2</OrgnlEndToEndId><OrgnlUETR>aaaaaaaa-0000-4000-8000-000000000001</OrgnlUETR>',
      'unknown',
    ],
    ['not without any reference', '', null],
  ])('%s', async (_, references, expected) => {
    expect(await verdict(group(null), batch(null, transaction('ACSC', '', references)))).toBe(
      expected,
    );
  });

  it('not in another batch', async () => {
    const inner = transaction('ACSC');
    expect(await verdict(group(null), batch(null, inner, '', 'PMT2'))).toBe(null);
  });
});

describe('codes', () => {
  it('gives each status of the standard a verdict, and an unknown one none', () => {
    const verdicts = Object.keys(statusCodes).map((code) => `${code} ${verdictOf(code)}`);
    expect(verdicts).toEqual([
      'RCVD pending',
      'PDNG pending',
      'ACTC accepted',
      'ACCP accepted',
      'ACFC accepted',
      'ACWC accepted',
      'ACSP in_process',
      'ACWP in_process',
      'ACSC settled',
      'ACCC settled',
      'RCVC pending',
      'RVMC pending',
      'RVNM pending',
      'RVNA pending',
      'RVNC pending',
      'RVCM pending',
      'RJCT rejected',
      'CANC canceled',
      'PART partial',
      'PATC partial',
    ]);
    expect(verdictOf('toString')).toBe('unknown');
  });

  const reason = (code: string | null, proprietary: string | null = null, ...texts: string[]) => ({
    code,
    proprietary,
    texts,
  });

  it('never takes a duplicate for a failure', () => {
    const codes = Object.keys(reasonCodes).filter(
      (code) => reasonCodes[code]?.means === 'duplicate',
    );
    expect(codes).toEqual(['AM05', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05', 'DUPL']);
    for (const code of codes) expect(failureOf([reason(code)])).toBe('duplicate');
    expect(failureOf([reason('AC01'), reason('DUPL')])).toBe('duplicate');
    expect(failureOf([reason(null, 'DUPL')])).toBe('duplicate');
    expect(failureOf([reason('NARR', null, 'Message was already received')])).toBe('duplicate');
    expect(failureOf([reason(null, 'Duplicate file')])).toBe('duplicate');
  });

  it.each([
    ['AC01', 'invalid_account'],
    ['AC04', 'account_closed'],
    ['AC06', 'invalid_account'],
    ['AG01', 'provider_rejected'],
    ['AM04', 'insufficient_provider_funds'],
    ['BE01', 'name_mismatch'],
    ['BE04', 'provider_rejected'],
    ['CURR', 'provider_rejected'],
    ['FF01', 'provider_rejected'],
    ['MD07', 'other'],
    ['MS02', 'provider_rejected'],
    ['MS03', 'provider_rejected'],
    ['RC01', 'invalid_account'],
    ['RR01', 'compliance_rejected'],
    ['RR04', 'compliance_rejected'],
    ['NMTC', 'name_mismatch'],
    ['R03', 'invalid_account'],
    ['ZZ99', 'other'],
    ['constructor', 'other'],
  ])('%s means %s', (code, expected) => {
    expect(failureOf([reason(code)])).toMatchObject({ code: expected });
  });

  it('lets the reason count that tells a person what to do', () => {
    expect(failureOf([reason('MS03'), reason('AC04', null, 'closed in May')])).toEqual({
      code: 'account_closed',
      message: 'MS03: The bank gives no reason | AC04: The account is closed; closed in May',
    });
    expect(failureOf([])).toEqual({
      code: 'provider_rejected',
      message: 'The bank gives no reason.',
    });
  });
});
