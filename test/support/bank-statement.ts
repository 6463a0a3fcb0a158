/** What a statement of the tests and benches is made of. */
export interface StatementPlan {
  /** About how many bytes it has. */
  readonly bytes: number;
  /** Whether all payments stand in one entry, instead of one in each. */
  readonly oneEntry?: boolean;
}

const head = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>LARGE</MsgId><CreDtTm>2026-11-22T06:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
`;

const entryHead = `<Ntry><Amt Ccy="EUR">12.34</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>2026-11-21</Dt></BookgDt><ValDt><Dt>2026-11-21</Dt></ValDt>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls>
`;

const detail = (number: number): string =>
  `<TxDtls><Refs><PmtInfId>PMT${number}</PmtInfId><EndToEndId>END${number}</EndToEndId></Refs>
<Amt Ccy="EUR">12.34</Amt><CdtDbtInd>DBIT</CdtDbtInd>
<RltdPties><Cdtr><Pty><Nm>Payee number ${number} &amp; Sons</Nm><PstlAdr><TwnNm>Köln</TwnNm><Ctry>DE</Ctry></PstlAdr></Pty></Cdtr>
<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></RltdPties>
<RmtInf><Ustrd>Invoice ${number} of the twenty-first of November</Ustrd></RmtInf></TxDtls>
`;

const entryEnd = '</NtryDtls></Ntry>\n';

/** Payments that are generated at once. */
const together = 100;

/** A statement as a stream of bytes. */
export async function* statementBytes(plan: StatementPlan): AsyncGenerator<Buffer> {
  let bytes = 0;
  let number = 0;
  yield Buffer.from(plan.oneEntry === true ? head + entryHead : head);
  while (bytes < plan.bytes) {
    let text = '';
    for (let count = 0; count < together; count += 1) {
      number += 1;
      text += plan.oneEntry === true ? detail(number) : entryHead + detail(number) + entryEnd;
    }
    const chunk = Buffer.from(text);
    bytes += chunk.length;
    yield chunk;
  }
  const end = '</Stmt></BkToCstmrStmt></Document>';
  yield Buffer.from(plan.oneEntry === true ? entryEnd + end : end);
}
