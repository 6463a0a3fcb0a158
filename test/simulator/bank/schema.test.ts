import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import { rails, railsMissing } from '../../providers/bank/config.ts';
import { eventually } from '../../providers/support.ts';
import { abroad, achFile, creditTo, customer, payTo, startBank, transfers } from './support.ts';

const schemas = join(rails, 'iso20022/xsd');

function validate(text: string): string {
  const message = /urn:iso:std:iso:20022:tech:xsd:([a-z0-9.]+)/.exec(text)?.[1] ?? '';
  const schema = XmlDocument.fromBuffer(readFileSync(join(schemas, `${message}.xsd`)));
  const validator = XsdValidator.fromDoc(schema);
  const document = XmlDocument.fromBuffer(Buffer.from(text));
  try {
    validator.validate(document);
    return message;
  } finally {
    document.dispose();
    validator.dispose();
    schema.dispose();
  }
}

const endings = ['usual', '0001', '0002', '0003', '0004', '0005', '0007'];

describe.skipIf(!existsSync(schemas))(
  `the answers of the bank against ISO's schemas (${railsMissing ?? rails})`,
  () => {
    it.each([
      { pain_002: '10', camt: '08' },
      { pain_002: '10', camt: '08', booking: 'batch', copy_statements: true },
      { pain_002: '03', camt: '02', fee: '1.50' },
      { pain_002: '03', camt: '02', booking: 'total', list: 'exceptions', refuse_every: 3 },
    ])('are valid: %o', async (faults) => {
      const bank = await startBank();
      await bank.control('PUT', 'faults', faults);
      const text = await transfers(endings.map(payTo));
      await bank.put('a.xml', text);
      await bank.put('c.xml', await abroad('PLN'));
      await bank.put('b.ach', await achFile(endings.map((ending) => creditTo(ending))));
      const isStated = (name: string) => name.startsWith('statement-');
      await eventually(async () => {
        expect((await bank.incoming()).filter(isStated).length).toBeGreaterThan(2);
      });
      await bank.put('again.xml', text);
      await bank.put('broken.xml', text.slice(0, 200));
      const funds = { customer, account: '1122', currency: 'USD', amount: '10' };
      await bank.control('POST', 'funds', funds);
      await eventually(async () => expect(await bank.outgoing()).toEqual([]));
      await eventually(async () => {
        expect((await bank.incoming()).filter(isStated).length).toBeGreaterThan(3);
      });
      const names = (await bank.incoming()).filter((name) => name.endsWith('.xml'));
      const seen = new Set<string>();
      for (const name of names) seen.add(validate(await bank.text(name)));
      expect([...seen].toSorted()).toEqual([
        `camt.053.001.${faults.camt}`,
        `camt.054.001.${faults.camt}`,
        `pain.002.001.${faults.pain_002}`,
      ]);
    });
  },
);
