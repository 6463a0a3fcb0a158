import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { statementBytes } from '../../../support/bank-statement.ts';
import { readMessage } from '../../../../src/providers/bank/iso20022/read-message.ts';
import { usualXmlLimits } from '../../../../src/providers/bank/iso20022/read-xml.ts';
import type { BankFileProblemCode } from '../../../../src/providers/bank/problem.ts';
import {
  chunksOf,
  entry,
  header,
  message,
  ofKind,
  problemOf,
  readAll,
  readText,
  refusal,
  statement,
} from './support.ts';

const good = statement(entry());

/** The good statement with something else in place of a piece of it. */
const changed = (piece: string, by: string): string => {
  expect(good).toContain(piece);
  return good.replace(piece, by);
};

const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;">]>`;

describe('files that want to harm', () => {
  const cases: readonly [name: string, file: string, code: BankFileProblemCode][] = [
    ['a billion laughs', changed('<Document', `${laughs}<Document`), 'doctype'],
    [
      'an external entity',
      changed('<Document', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Document'),
      'doctype',
    ],
    ['an entity that nobody declared', changed('S1', '&x;'), 'entity'],
    ['an entity with the name of a property', changed('S1', '&constructor;'), 'entity'],
    [
      'a style sheet',
      changed('<Document', '<?xml-stylesheet href="x"?><Document'),
      'processing_instruction',
    ],
    [
      'an instruction within a payment',
      changed('</Ntry>', '<?php echo 1 ?></Ntry>'),
      'processing_instruction',
    ],
    ['depth', changed('</Ntry>', `${'<a>'.repeat(40)}${'</a>'.repeat(40)}</Ntry>`), 'too_deep'],
    ['a long text', changed('S1', 'S'.repeat(20_000)), 'too_long'],
    [
      'a long text in pieces',
      changed('S1', `${'S'.repeat(9_000)}<![CDATA[${'S'.repeat(9_000)}]]>`),
      'too_long',
    ],
    ['a long attribute', changed('Ccy="EUR"', `Ccy="${'E'.repeat(20_000)}"`), 'too_long'],
    ['a long name', changed('</Ntry>', `<${'n'.repeat(200)}/></Ntry>`), 'too_long'],
    ['a long comment', changed('</Ntry>', `<!--${'c'.repeat(20_000)}--></Ntry>`), 'too_long'],
    [
      'many attributes',
      changed('<Amt ', `<Amt ${Array.from({ length: 20 }, (_, at) => `a${at}="1"`).join(' ')} `),
      'too_many_parts',
    ],
    [
      'many elements in one payment',
      changed('</Ntry>', `<A>${'<b/>'.repeat(20_001)}</A></Ntry>`),
      'too_many_parts',
    ],
    [
      'many elements in one entry',
      changed('</Ntry>', `${'<b/>'.repeat(20_001)}</Ntry>`),
      'too_many_parts',
    ],
    [
      'much text in one payment',
      changed('</Ntry>', `<A>${`<b>${'t'.repeat(16_000)}</b>`.repeat(70)}</A></Ntry>`),
      'too_many_parts',
    ],
    ['another namespace within', changed('<Sts>', '<Sts xmlns="urn:other">'), 'mixed_namespaces'],
    [
      'another version within',
      changed('<Ntry>', '<Ntry xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">'),
      'mixed_namespaces',
    ],
    ['no namespace within', changed('<Ntry>', '<Ntry xmlns="">'), 'mixed_namespaces'],
    ['a prefix that nobody declared', changed('<Ntry>', '<x:Ntry>'), 'not_well_formed'],
    ['an end that is missing', good.slice(0, -20), 'not_well_formed'],
    [
      'a file that is cut within a tag',
      good.slice(0, good.indexOf('<Sts>') + 2),
      'not_well_formed',
    ],
    ['something after the end', `${good}<more/>`, 'not_well_formed'],
    ['a character that XML has not', changed('S1', '\u0001'), 'not_well_formed'],
    ['a reference to such a character', changed('S1', '&#0;'), 'not_well_formed'],
    ['XML 1.1', changed('version="1.0"', 'version="1.1"'), 'not_well_formed'],
    ['another message', good.replace('camt.053.001.08', 'camt.052.001.08'), 'unknown_message'],
    [
      'a version that is not read',
      good.replace('camt.053.001.08', 'camt.053.001.14'),
      'unknown_message',
    ],
    ['no message at all', '<html><body/></html>', 'unknown_message'],
    [
      'the body of another message',
      message('camt.053.001.08', 'CstmrPmtStsRpt', header),
      'unknown_message',
    ],
    ['two bodies', good.replace('</Document>', '<BkToCstmrStmt/></Document>'), 'repeated_element'],
    ['no body', good.replace(/<BkToCstmrStmt>.*<\/BkToCstmrStmt>/, ''), 'missing_element'],
    ['nothing', '', 'empty_file'],
    ['white space', ' \n ', 'unknown_format'],
    ['a picture', '\u0089PNG', 'unknown_format'],
  ];
  it.each(cases)('%s', async (_, file, code) => {
    expect(await refusal(file)).toBe(code);
  });

  it('refuses a text of 50 MB long before it has read it', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from(good.slice(0, good.indexOf('S1')));
      for (; given < 50_000_000; given += 65_536) yield Buffer.alloc(65_536, 'S');
    }
    expect((await problemOf(endless())).code).toBe('too_long');
    expect(given).toBeLessThan(500_000);
  });

  it('refuses a file that is larger than its limit', async () => {
    const read = async (): Promise<void> => {
      const limits = { ...usualXmlLimits, bytes: 1_000_000 };
      for await (const _ of readMessage(statementBytes({ bytes: 3_000_000 }), limits));
    };
    await expect(read()).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('closes its source after a problem', async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from(changed('S1', '&x;'));
        yield Buffer.from(' ');
      } finally {
        closed = true;
      }
    }
    await problemOf(source());
    expect(closed).toBe(true);
  });
});

describe('what stays readable', () => {
  it('reads the same in chunks of any length', async () => {
    const whole = await readText(good);
    expect(await readText(good, 1)).toEqual(whole);
    expect(await readText(good, 7)).toEqual(whole);
  });

  it('reads prefixed names, comments, CDATA and the five entities', async () => {
    const prefixed = good
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1p:')
      .replace('xmlns=', 'xmlns:p=')
      .replace('S1', '<!-- x -->A&amp;<![CDATA[<B>]]>&#67;');
    expect(ofKind(await readText(prefixed), 'statement')).toMatchObject([{ id: 'A&<B>C' }]);
  });

  it('passes over supplementary data in any namespace', async () => {
    const more = '<SplmtryData><Envlp><x xmlns="urn:other"><Ntry/></x></Envlp></SplmtryData>';
    const reports = await readText(changed('</BkToCstmrStmt>', `${more}</BkToCstmrStmt>`));
    expect(ofKind(reports, 'entry')).toHaveLength(1);
  });

  it('knows a message whose namespace is misspelt as Xmlns', async () => {
    const reports = await readText(good.replace('xmlns=', 'Xmlns='));
    expect(reports[0]).toMatchObject({ kind: 'file', format: 'camt.053.001.08' });
  });
});

describe('encodings', () => {
  const named = (encoding: string): string =>
    changed('encoding="UTF-8"', `encoding="${encoding}"`).replace('S1', 'Müller');
  const idOf = async (bytes: Buffer) =>
    ofKind(await readAll(chunksOf(bytes, 3)), 'statement')[0]?.id;

  it.each([
    ['UTF-8', Buffer.from(named('UTF-8'))],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${named('utf-8')}`)],
    ['UTF-8 by default', Buffer.from(named('UTF-8').replace(/^<\?.*?\?>/, ''))],
    ['ISO-8859-1', Buffer.from(named('ISO-8859-1'), 'latin1')],
  ])('reads %s', async (_, bytes) => {
    expect(await idOf(bytes)).toBe('Müller');
  });

  it.each([
    ['ISO-8859-1 that says UTF-8', Buffer.from(named('UTF-8'), 'latin1')],
    ['a character that is cut off', Buffer.concat([Buffer.from(good), Buffer.of(0xc3)])],
    ['UTF-16', Buffer.from(`\ufeff${named('UTF-16')}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(named('UTF-16'), 'utf16le')],
    ['an encoding that is not read', Buffer.from(named('windows-1252'), 'latin1')],
    ['a mark of UTF-8 before another encoding', Buffer.from(`\ufeff${named('ISO-8859-1')}`)],
    [
      'a declaration that hides its encoding',
      Buffer.from(good.replace(' encoding="UTF-8"', `${' '.repeat(400)}encoding="ISO-8859-1"`)),
    ],
  ])('refuses %s', async (_, bytes) => {
    expect(await refusal(bytes)).toBe('encoding');
  });
});

describe('large files', () => {
  // What the file says takes several times its bytes, so a reader that held it would not get by.
  it.each(['0', '1'])('reads 16 MB with a heap of 24 MB (one entry: %s)', async (oneEntry) => {
    const program = join(import.meta.dirname, 'programs/read-large.ts');
    const child = spawn(
      process.execPath,
      ['--max-old-space-size=24', program, '16000000', oneEntry],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const [out, error] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect(error).toBe('');
    expect(Number(out)).toBeGreaterThan(16_000);
  });
});
