import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moneyOfDecimal } from '../../../../src/providers/bank/decimal.ts';
import type { BankFileProblemCode } from '../../../../src/providers/bank/problem.ts';
import { currencyCodes, currencyExponent } from '../../../../src/reference/currencies.ts';
import { toDecimalString } from '../../../../src/values/money.ts';
import { fuzzSeed } from '../config.ts';
import {
  chunksOf,
  entry,
  header,
  message,
  ofKind,
  problemOf,
  readText,
  refusal,
  statement,
} from './support.ts';

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const element = (name: string, text: string | null): string =>
  text === null ? '' : `<${name}>${escaped(text)}</${name}>`;

const reference = fc.stringMatching(/^[A-Za-z0-9/?:().,'+&<>"-]{1,35}$/);
const words = fc.stringMatching(/^[\p{L}0-9&<>]{1,30}( [\p{L}0-9&<>]{1,30}){0,2}$/u);
const money = fc.record({
  minor: fc.bigInt({ min: 0n, max: 10n ** 13n }),
  currency: fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', 'UYW'),
});
const direction = fc.constantFrom('credit' as const, 'debit' as const);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const detail = fc.record({
  endToEndId: maybe(reference),
  instructionId: maybe(reference),
  amount: maybe(money),
  direction: maybe(direction),
  returned: maybe(
    fc.record({ code: fc.constantFrom('AC01', 'MS03'), texts: fc.array(words, { maxLength: 2 }) }),
  ),
  remittance: fc.array(words, { maxLength: 3 }),
});
const line = fc.record({
  reference: maybe(reference),
  amount: money,
  direction,
  reversal: fc.boolean(),
  status: fc.constantFrom(
    ['BOOK', 'booked'],
    ['PDNG', 'pending'],
    ['INFO', 'information'],
    ['FUTR', 'other'],
  ),
  bookingDay: maybe(day),
  details: fc.array(detail, { maxLength: 4 }),
});
const plan = fc.record({
  version: fc.constantFrom('02', '08'),
  id: reference,
  balances: fc.array(
    fc.record({ type: fc.constantFrom('OPBD', 'CLBD', 'CLAV'), money, direction }),
    { maxLength: 3 },
  ),
  lines: fc.array(line, { maxLength: 4 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;
type Line = Plan['lines'][number];

const code = { credit: 'CRDT', debit: 'DBIT' } as const;
const amountXml = ({ minor, currency }: Line['amount']): string =>
  `<Amt Ccy="${currency}">${toDecimalString(minor, currency)}</Amt>`;
const directionXml = (value: 'credit' | 'debit'): string => `<CdtDbtInd>${code[value]}</CdtDbtInd>`;

function detailXml(one: Line['details'][number]): string {
  const refs = element('InstrId', one.instructionId) + element('EndToEndId', one.endToEndId);
  const returned =
    one.returned === null
      ? ''
      : `<RtrInf><Rsn><Cd>${one.returned.code}</Cd></Rsn>${one.returned.texts.map((text) => element('AddtlInf', text)).join('')}</RtrInf>`;
  return `<TxDtls><Refs>${refs}</Refs>${one.amount === null ? '' : amountXml(one.amount)}${
    one.direction === null ? '' : directionXml(one.direction)
  }<RmtInf>${one.remittance.map((text) => element('Ustrd', text)).join('')}</RmtInf>${returned}</TxDtls>`;
}

function lineXml(one: Line, version: string): string {
  const [status = ''] = one.status;
  return `<Ntry>${element('NtryRef', one.reference)}${amountXml(one.amount)}${directionXml(one.direction)}<RvslInd>${one.reversal}</RvslInd><Sts>${
    version === '02' ? status : `<Cd>${status}</Cd>`
  }</Sts>${one.bookingDay === null ? '' : `<BookgDt><Dt>${one.bookingDay}</Dt></BookgDt>`}<NtryDtls>${one.details.map(detailXml).join('\n')}</NtryDtls></Ntry>`;
}

function statementXml({ version, id, balances, lines }: Plan): string {
  const balance = balances.map(
    (one) =>
      `<Bal><Tp><CdOrPrtry><Cd>${one.type}</Cd></CdOrPrtry></Tp>${amountXml(one.money)}${directionXml(one.direction)}<Dt><Dt>2026-11-21</Dt></Dt></Bal>`,
  );
  return message(
    `camt.053.001.${version}`,
    'BkToCstmrStmt',
    `${header}<Stmt>${element('Id', id)}<Acct><Id><Othr><Id>1</Id></Othr></Id></Acct>${balance.join('')}${lines.map((one) => lineXml(one, version)).join(' ')}</Stmt>`,
  );
}

describe('statements', () => {
  it('that a test wrote are read back equal', async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 500 }), async (written, length) => {
        const reports = await readText(statementXml(written), length);
        const [read] = ofKind(reports, 'statement');
        expect(read?.id).toBe(written.id);
        expect(read?.balances.map(({ type, minor, currency }) => [type, minor, currency])).toEqual(
          written.balances.map(({ type, money: said, direction: side }) => [
            type,
            side === 'debit' ? -said.minor : said.minor,
            said.currency,
          ]),
        );
        const entries = ofKind(reports, 'entry').map((one) => ({
          reference: one.reference,
          amount: one.amount,
          direction: one.direction,
          reversal: one.reversal,
          status: [one.statusCode, one.status],
          bookingDay: one.bookingDay,
          details: one.details.map(
            ({ references, amount, direction: side, returned, remittance }) => ({
              endToEndId: references.endToEndId,
              instructionId: references.instructionId,
              amount,
              direction: side,
              returned: returned && { code: returned.code, texts: returned.texts },
              remittance,
            }),
          ),
        }));
        expect(entries).toEqual(written.lines);
        expect(ofKind(reports, 'statement_end')).toMatchObject([{ entries: written.lines.length }]);
      }),
      { seed: fuzzSeed, numRuns: 150 },
    );
  });

  it('come in parts where an entry has many payments', async () => {
    const details = Array.from(
      { length: 230 },
      (_, at) => `<TxDtls><Refs><EndToEndId>E${at}</EndToEndId></Refs></TxDtls>`,
    );
    const batch = '<Btch><PmtInfId>P1</PmtInfId><NbOfTxs>230</NbOfTxs></Btch>';
    const text = statement(
      entry(`<NtryDtls>${batch}${details.join('')}</NtryDtls><AddtlNtryInf>end</AddtlNtryInf>`) +
        entry(),
    );
    const reports = await readText(text);
    const parts = ofKind(reports, 'entry');
    expect(
      parts.map(({ number, part, last, details: some, text: words }) => [
        number,
        part,
        last,
        some.length,
        words,
      ]),
    ).toEqual([
      [1, 1, false, 100, null],
      [1, 2, false, 100, null],
      [1, 3, true, 30, 'end'],
      [2, 1, true, 0, null],
    ]);
    expect(parts[2]?.batches).toMatchObject([{ paymentInformationId: 'P1', details: 230 }]);
    expect(
      parts
        .slice(0, 3)
        .flatMap(({ details: some }) => some.map(({ references }) => references.endToEndId)),
    ).toEqual(details.map((_, at) => `E${at}`));
    expect(ofKind(reports, 'statement_end')).toMatchObject([{ entries: 2 }]);
  });

  it('have charges in either form', async () => {
    const older = '<Chrgs><Amt Ccy="EUR">0.50</Amt><CdtDbtInd>DBIT</CdtDbtInd></Chrgs>';
    const newer =
      '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">1.50</TtlChrgsAndTaxAmt><Rcrd><Amt Ccy="EUR">1</Amt><ChrgInclInd>true</ChrgInclInd></Rcrd><Rcrd><Amt Ccy="EUR">.5</Amt></Rcrd></Chrgs>';
    const reports = await readText(statement(entry(older) + entry(newer)));
    expect(ofKind(reports, 'entry').map(({ charges }) => charges)).toEqual([
      [{ amount: { minor: 50n, currency: 'EUR' }, direction: 'debit', included: null }],
      [
        { amount: { minor: 100n, currency: 'EUR' }, direction: null, included: true },
        { amount: { minor: 50n, currency: 'EUR' }, direction: null, included: null },
      ],
    ]);
  });

  it('have a proprietary status, which moves no money', async () => {
    const text = statement(entry().replace('<Cd>BOOK</Cd>', '<Prtry>Booked</Prtry>'));
    expect(ofKind(await readText(text), 'entry')).toMatchObject([
      { status: 'other', statusCode: 'Booked' },
    ]);
  });

  it.each([
    ['a currency that is none', '<Amt Ccy="XXX">1</Amt>'],
    ['more places than the currency', '<Amt Ccy="EUR">1.005</Amt>'],
  ])('are read where an amount that books nothing has %s', async (_, odd) => {
    const pending = entry('', odd).replace('BOOK', 'PDNG');
    const balance = (type: string, amount: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${amount}<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-22</Dt></Dt></Bal>`;
    const details = `<Chrgs><Rcrd>${odd}</Rcrd></Chrgs><NtryDtls><Btch>${odd.replaceAll('Amt', 'TtlAmt')}</Btch><TxDtls><Amt Ccy="EUR">1.00</Amt><AmtDtls><InstdAmt>${odd}</InstdAmt></AmtDtls></TxDtls></NtryDtls>`;
    const reports = await readText(
      statement(
        `${balance('CLBD', '<Amt Ccy="EUR">5.00</Amt>')}${balance('CLAV', odd)}${pending}${entry(details)}`,
      ),
    );
    expect(ofKind(reports, 'statement')[0]?.balances.map(({ type }) => type)).toEqual(['CLBD']);
    expect(ofKind(reports, 'entry')).toMatchObject([
      { status: 'pending', amount: null },
      {
        status: 'booked',
        amount: { minor: 100n, currency: 'EUR' },
        charges: [],
        batches: [{ total: null }],
        details: [{ amount: { minor: 100n }, instructed: null }],
      },
    ]);
    expect(await refusal(statement(balance('CLBD', odd)))).toMatch(
      /^(amount_precision|unknown_currency)$/,
    );
  });

  it.each(['02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13'])(
    'are read of version %s',
    async (version) => {
      const text = statement(entry()).replace('camt.053.001.08', `camt.053.001.${version}`);
      expect(ofKind(await readText(text), 'entry')).toHaveLength(1);
    },
  );

  it.each([
    ['urn:iso:std:iso:20022:tech:xsd:camt.052.001.08', 'camt.052.001.08'],
    ['urn:iso:std:iso:20022:tech:xsd:camt.053.001.14', 'camt.053.001.14'],
    ['urn:iso:std:iso:20022:tech:xsd:camt.053.001.01', 'camt.053.001.01'],
    ['http://www.six-interbank-clearing.com/de/pain.008.001.02.ch.03.xsd', 'pain.008.001.02.ch.03'],
    ['urn:other', null],
  ])('say which message they are when they are refused: %s', async (namespace, format) => {
    const text = statement(entry()).replace(/xmlns="[^"]+"/, `xmlns="${namespace}"`);
    const { code, format: said } = await problemOf(chunksOf(Buffer.from(text)));
    expect([code, said]).toEqual(['unknown_message', format]);
  });

  it.each([
    ['%PDF-1.7\n', 'pdf'],
    ['PK\u0003\u0004', 'zip'],
    ['\r\n:20:STARTUMS\r\n:25:12030000/1\r\n:28C:1/1\r\n:60F:C261122EUR1,00\r\n', 'mt940'],
    ['{1:F01BANKDEFFXXXX0000000000}{2:O9400000}{4:\r\n:20:1\r\n', 'mt940'],
    ['01,122099999,123456789,260622,0200,1,65,,2/\n', 'bai2'],
    ['hello', null],
  ])('no: %j is known by its beginning', async (text, format) => {
    const { code, format: said } = await problemOf(chunksOf(Buffer.from(text), 3));
    expect([code, said]).toEqual(['unknown_format', format]);
  });

  const amount = (text: string, currency = 'EUR'): string =>
    statement(entry('', `<Amt Ccy="${currency}">${text}</Amt>`));
  const cases: readonly [name: string, file: string, expected: BankFileProblemCode][] = [
    ['more places than the currency', amount('1.005'), 'amount_precision'],
    ['a fraction of a yen', amount('1.5', 'JPY'), 'amount_precision'],
    ['a currency that is none', amount('1', 'XXX'), 'unknown_currency'],
    ['a negative amount', amount('-1.00'), 'bad_value'],
    ['an amount with a comma', amount('1,00'), 'bad_value'],
    ['an amount with an exponent', amount('1e3'), 'bad_value'],
    ['an empty amount', amount(''), 'bad_value'],
    ['too large an amount', amount('1234567890123456789'), 'bad_value'],
    ['an amount without currency', statement(entry('', '<Amt>1.00</Amt>')), 'missing_element'],
    ['no amount', statement(entry('', '')), 'missing_element'],
    [
      'two amounts',
      statement(entry('', '<Amt Ccy="EUR">1</Amt><Amt Ccy="EUR">2</Amt>')),
      'repeated_element',
    ],
    [
      'an element in an amount',
      statement(entry('', '<Amt Ccy="EUR"><b/></Amt>')),
      'misplaced_element',
    ],
    [
      'text between elements',
      statement(entry('text')).replace('<Ntry>', '<Ntry>text'),
      'misplaced_element',
    ],
    [
      'no direction',
      statement(entry()).replace('<CdtDbtInd>DBIT</CdtDbtInd>', ''),
      'missing_element',
    ],
    ['another direction', statement(entry()).replace('DBIT', 'LEFT'), 'bad_value'],
    ['no status', statement(entry()).replace('<Sts><Cd>BOOK</Cd></Sts>', ''), 'missing_element'],
    [
      'a day that does not exist',
      statement(entry('<BookgDt><Dt>2026-02-30</Dt></BookgDt>')),
      'bad_value',
    ],
    [
      'a time that is none',
      statement(entry('<ValDt><DtTm>2026-02-03</DtTm></ValDt>')),
      'bad_value',
    ],
    [
      'an amount after the payments',
      statement(entry('<NtryDtls/><Amt Ccy="EUR">2</Amt>')),
      'misplaced_element',
    ],
    ['a balance after the entries', statement(`${entry()}<Bal/>`), 'misplaced_element'],
    [
      'two batches in one',
      statement(entry('<NtryDtls><Btch/><Btch/></NtryDtls>')),
      'repeated_element',
    ],
    ['no account', statement('').replace(/<Acct>.*<\/Acct>/, ''), 'missing_element'],
    ['no header', statement('').replace(/<GrpHdr>.*<\/GrpHdr>/, ''), 'missing_element'],
    ['two headers', statement('').replace(/<GrpHdr>.*<\/GrpHdr>/, '$&$&'), 'repeated_element'],
  ];
  it.each(cases)('are refused for %s', async (_, file, expected) => {
    expect(await refusal(file)).toBe(expected);
  });

  it('name the place of a problem', async () => {
    const text = statement(`${entry()}\n${entry('\n', '\n<Amt Ccy="EUR">1.005</Amt>')}`);
    const problem = await problemOf(chunksOf(Buffer.from(text)));
    expect(problem.message).toBe(
      'line 3, /Document/BkToCstmrStmt[1]/Stmt[1]/Ntry[2]/Amt: "1.005 EUR" has more decimal places than its currency.',
    );
  });
});

describe('amounts', () => {
  it.each<[string, string, bigint | string]>([
    ['8.850', 'EUR', 885n],
    ['8.851', 'EUR', 'amount_precision'],
    ['8.859', 'EUR', 'amount_precision'],
    ['8.8500009', 'EUR', 'amount_precision'],
    ['9', 'JPY', 9n],
    ['9.9', 'JPY', 'amount_precision'],
    ['9'.repeat(18), 'JPY', BigInt('9'.repeat(18))],
    [`1${'0'.repeat(16)}.00`, 'EUR', 'bad_value'],
  ])('%s %s is %s', (text, currency, minor) => {
    expect(moneyOfDecimal(text, currency)).toEqual(
      typeof minor === 'bigint' ? { minor, currency } : minor,
    );
  });

  it('are exact in every currency', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...currencyCodes),
        fc.bigInt(0n, 10n ** 14n),
        (currency, minor) => {
          const text = toDecimalString(minor, currency);
          expect(moneyOfDecimal(text, currency)).toEqual({ minor, currency });
          const zeros = '0'.repeat(5 - (currencyExponent(currency) ?? 0));
          const longer = text.includes('.') ? text + zeros : `${text}.${zeros}`;
          expect(moneyOfDecimal(longer, currency)).toEqual({ minor, currency });
        },
      ),
      { seed: fuzzSeed },
    );
  });
});
