import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkCreditTransfer,
  writeCreditTransfers,
} from '../../../../src/providers/bank/iso20022/write-credit-transfers.ts';
import {
  schemes,
  type CreditTransfer,
  type CreditTransferGroup,
  type Scheme,
} from '../../../../src/providers/bank/iso20022/write-types.ts';
import { longTestMs } from '../../../support/patience.ts';
import { fuzzSeed, rails } from '../config.ts';
import { anyPayment, goodFile, goodGroup, goodPayment, textOf } from './credit-transfers.ts';

const schema = join(rails, 'iso20022/xsd/pain.001.001.09.xsd');
const isThere = existsSync(schema);

const namespaces = { p: 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09' };

const currencies: Readonly<Record<Scheme, string>> = {
  sepa_credit_transfer: 'EUR',
  sepa_instant: 'EUR',
  uk_domestic: 'GBP',
  us_wire: 'USD',
  cross_border: 'KWD',
};

const groupOf = (scheme: Scheme, payments: readonly CreditTransfer[]): CreditTransferGroup =>
  goodGroup(payments, {
    id: `group-${scheme.replaceAll('_', '-')}`,
    scheme,
    currency: currencies[scheme],
    executionDate: '2026-11-24',
  });

describe.skipIf(!isThere)(`against ISO's schema (${schema})`, () => {
  let validator: XsdValidator;

  beforeAll(() => {
    const document = XmlDocument.fromBuffer(readFileSync(schema));
    validator = XsdValidator.fromDoc(document);
    document.dispose();
  });
  afterAll(() => validator.dispose());

  /** Validates a file and gives what stands in the elements of each path. Throws what is invalid. */
  function read<Name extends string>(xml: string, paths: Readonly<Record<Name, string>>) {
    const document = XmlDocument.fromBuffer(Buffer.from(xml, 'utf8'));
    try {
      validator.validate(document);
      const texts = Object.entries<string>(paths).map(([name, path]) => [
        name,
        document.find(path, namespaces).map((node) => node.content),
      ]);
      return Object.fromEntries(texts) as Record<Name, string[]>;
    } finally {
      document.dispose();
    }
  }

  it('notices what is not valid', () => {
    expect(() => read('<Document xmlns="urn:x"/>', {})).toThrow();
  });

  it(
    `is valid for 10,000 payees of all scripts (FUZZ_SEED=${fuzzSeed})`,
    { timeout: longTestMs },
    async () => {
      const perScheme = 3_000;
      const perFile = 500;
      const generated = schemes.map((scheme, index) =>
        fc.sample(anyPayment(scheme), { seed: fuzzSeed + index, numRuns: perScheme }),
      );
      const refused = new Set<string>();
      let written = 0;
      for (let from = 0; from < perScheme; from += perFile) {
        const groups = schemes.map((scheme, index) => {
          const payments = generated[index]?.slice(from, from + perFile) ?? [];
          const facts = groupOf(scheme, []);
          return groupOf(
            scheme,
            payments.filter((payment) => {
              const { problems } = checkCreditTransfer(payment, facts);
              for (const { field, code } of problems) refused.add(`${field} ${code}`);
              return problems.length === 0;
            }),
          );
        });
        const xml = await textOf(writeCreditTransfers(goodFile(groups)));
        const found = read(xml, {
          counts: '//p:NbOfTxs',
          sums: '//p:CtrlSum',
          references: '//p:EndToEndId',
          names: '//p:Cdtr/p:Nm',
          towns: '//p:Cdtr/p:PstlAdr/p:TwnNm',
          countries: '//p:Cdtr/p:PstlAdr/p:Ctry',
        });
        const payments = groups.map((group) => [...(group.payments() as CreditTransfer[])]);
        written += payments.flat().length;
        expect(found.counts.map(Number)).toEqual([
          payments.flat().length,
          ...payments.map((all) => all.length),
        ]);
        expect(found.references).toEqual(
          payments.flat().map(({ payoutId }) => payoutId.replace('_', '-')),
        );
        const thousandths = payments.map((all, index) =>
          all.reduce((sum, { amountMinor }) => sum + amountMinor * (index === 4 ? 1n : 10n), 0n),
        );
        expect(found.sums.map((sum) => BigInt(Math.round(Number(sum) * 1_000)))).toEqual([
          thousandths.reduce((sum, one) => sum + one, 0n),
          ...thousandths,
        ]);
        expect(found.names.every((name) => /[A-Za-z0-9]/.test(name))).toBe(true);
        expect(found.countries).toHaveLength(found.towns.length);
        const texts = [...xml.matchAll(/>([^<\n]+)</g)].map(([, text]) => text ?? '');
        expect(texts.filter((text) => !/^[A-Za-z0-9/\-?:().,'+ ]+$/.test(text))).toEqual([]);
      }
      const unwritable = ['creditor.name unwritable', 'creditor.address.town unwritable'];
      const missing = ['creditor.name missing', 'creditor.address.town town_missing'];
      expect([...refused].filter((one) => ![...unwritable, ...missing].includes(one))).toEqual([]);
      // What is refused is a small part, so the property is not empty.
      expect(written).toBeGreaterThan(10_000);
    },
  );

  it('is valid whatever a bank wants otherwise', async () => {
    const options = {
      serviceLevel: null,
      localInstrument: 'ABC1',
      chargeBearer: 'DEBT',
      batchBooking: false,
      purposeCodes: false,
    } as const;
    const group = goodGroup([goodPayment()], { options, bank: undefined });
    const xml = await textOf(writeCreditTransfers(goodFile([group])));
    const found = read(xml, {
      levels: '//p:SvcLvl',
      instruments: '//p:LclInstrm/p:Cd',
      bearers: '//p:ChrgBr',
      bookings: '//p:BtchBookg',
      purposes: '//p:Purp',
      banks: '//p:DbtrAgt//p:Id',
    });
    expect(found).toEqual({
      levels: [],
      instruments: ['ABC1'],
      bearers: ['DEBT'],
      bookings: ['false'],
      purposes: [],
      banks: ['NOTPROVIDED'],
    });
  });

  it('is valid for amounts and totals at their limits', async () => {
    const largest = (scheme: Scheme, amountMinor: bigint) =>
      groupOf(scheme, [{ ...(fc.sample(anyGood(scheme), 1)[0] as CreditTransfer), amountMinor }]);
    const groups = [
      largest('sepa_credit_transfer', 99_999_999_999n),
      largest('us_wire', 999_999_999_999n),
      largest('cross_border', 1n),
    ];
    const xml = await textOf(writeCreditTransfers(goodFile(groups)));
    expect(read(xml, { amounts: '//p:InstdAmt', sums: '//p:CtrlSum' })).toEqual({
      amounts: ['999999999.99', '9999999999.99', '0.001'],
      sums: ['10999999999.981', '999999999.99', '9999999999.99', '0.001'],
    });
  });
});

/** A payment of a scheme that is not refused. */
function anyGood(scheme: Scheme): fc.Arbitrary<CreditTransfer> {
  const facts = groupOf(scheme, []);
  return anyPayment(scheme).filter(
    (payment) => checkCreditTransfer(payment, facts).problems.length === 0,
  );
}
