import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bank-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** `npm run ops -- read-bank-file …` as a process that knows no database. */
const readFile = (...words: string[]) => runProgram('src/ops.ts', ['read-bank-file', ...words], {});

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const statement = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-22T06:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">10</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">11</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-21</Dt></Dt></Bal>
<Ntry><Amt Ccy="EUR">1.25</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-21</Dt></BookgDt>
<NtryDtls><TxDtls><Refs><EndToEndId>po_1</EndToEndId></Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>
<RmtInf><Ustrd>Back&#133;&#155;31m</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;

it('prints what a file says, safely for a terminal', async () => {
  const { out, error, status } = await readFile(await write('good.xml', statement));
  expect(error).toBe('');
  expect(out.split('\n')).toEqual([
    'line 2     file camt.053.001.08, message M1, made 2026-11-22T06:00:00Z',
    'line 3     statement S1, account DE89370400440532013000, EUR',
    '             balance OPBD 10.00 EUR, 2026-11-20',
    '             balance CLBD 11.00 EUR, 2026-11-21',
    'line 6     entry 1: +1.25 EUR, booked, booked on 2026-11-21',
    '             payment EndToEndId po_1, returned: account_closed (AC04: The account is closed), "Back  31m"',
    'line 8     statement S1 ends, entries 1, the balances differ from the entries by -25 minor units',
    '',
  ]);
  expect(status).toBe(0);
});

it('prints lines of JSON with exact amounts', async () => {
  const { out, status } = await readFile(await write('good.xml', statement), '--json');
  const kinds = out
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds).toEqual(['file', 'statement', 'entry', 'statement_end']);
  expect(out).toContain('"amount":{"minor":"125","currency":"EUR"}');
  expect(status).toBe(0);
});

it('names the problem of a file that cannot be read', async () => {
  const path = await write('bad.xml', statement.replace('1.25', '1.255'));
  const { error, status } = await readFile(path);
  expect(error).toBe(
    'error: amount_precision: line 6, /Document/BkToCstmrStmt[1]/Stmt[1]/Ntry[1]/Amt: "1.255 EUR" has more decimal places than its currency.\n',
  );
  expect(status).toBe(1);
});

it('tells how it is used', async () => {
  expect(await readFile('--help')).toMatchObject({ status: 0, error: '' });
  const none = await readFile();
  expect(none.status).toBe(2);
  expect(none.error).toContain('read-bank-file takes one file');
  const missing = await readFile(join(folder, 'nowhere.xml'));
  expect(missing).toMatchObject({ status: 1, out: '' });
  expect(missing.error).toContain('no such file');
});
