import { bankReference } from '../../src/providers/bank/text/reference.ts';

/** A movement of an account as a statement of the tests shows it. */
export interface Movement {
  readonly direction: 'debit' | 'credit';
  /** A decimal, such as `1250.00`. */
  readonly amount: string;
  readonly payout?: string;
  readonly attempt?: string;
  readonly trace?: string;
  /** The bank's reference of the entry. */
  readonly reference?: string;
  /** The number of the entry, which many banks count anew in each statement. */
  readonly number?: string;
  readonly returned?: string;
  readonly code?: string;
  readonly day?: string;
  /** The message of a batch that is booked as one. */
  readonly batch?: { readonly message: string; readonly count: number };
  readonly pending?: boolean;
  /** Whether it takes back an earlier movement. */
  readonly reversal?: boolean;
  /** The bank's reference of the payment within the entry. */
  readonly ofPayment?: string;
}

export interface Shown {
  readonly id?: string;
  readonly account: string;
  readonly currency: string;
  readonly day: string;
  readonly movements: readonly Movement[];
  readonly opening?: string;
  readonly closing?: string;
}

const tag = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `<${name}>${value}</${name}>`;

const reference = (id: string | undefined): string | undefined =>
  id === undefined ? undefined : bankReference(id);

function entryXml(movement: Movement, { currency, day }: Shown): string {
  const { direction, amount, payout, attempt, trace, returned, batch, code } = movement;
  const sign = direction === 'debit' ? 'DBIT' : 'CRDT';
  const detail =
    payout === undefined && attempt === undefined && trace === undefined
      ? ''
      : `<TxDtls><Refs>${tag('AcctSvcrRef', movement.ofPayment)}${tag('InstrId', reference(attempt))}${tag('EndToEndId', reference(payout))}${tag('ClrSysRef', trace)}</Refs>
<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd>${
          returned === undefined ? '' : `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>`
        }</TxDtls>`;
  const whole =
    batch === undefined
      ? ''
      : `<Btch><PmtInfId>${batch.message}</PmtInfId><NbOfTxs>${batch.count}</NbOfTxs></Btch>`;
  const [family = '', sub = ''] = (code ?? 'ICDT ESCT').split(' ');
  return `<Ntry>${tag('NtryRef', movement.number)}<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd>${tag('RvslInd', movement.reversal === true ? 'true' : undefined)}
<Sts><Cd>${movement.pending === true ? 'PDNG' : 'BOOK'}</Cd></Sts><BookgDt><Dt>${movement.day ?? day}</Dt></BookgDt>${tag('AcctSvcrRef', movement.reference)}
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls>${whole}${detail}</NtryDtls></Ntry>`;
}

const balanceXml = (type: string, amount: string | undefined, { currency, day }: Shown): string =>
  amount === undefined
    ? ''
    : `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount.replace('-', '')}</Amt>
<CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

function camt(kind: '053' | '054', shown: Shown): string {
  const [root, part] =
    kind === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'];
  const iban = /^[A-Z]{2}/.test(shown.account);
  const account = iban ? tag('IBAN', shown.account) : `<Othr><Id>${shown.account}</Id></Othr>`;
  const id = shown.id ?? `S-${shown.day}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.08"><${root}>
<GrpHdr><MsgId>${id}</MsgId><CreDtTm>2026-11-24T06:00:00Z</CreDtTm></GrpHdr>
<${part}><Id>${id}</Id><Acct><Id>${account}</Id><Ccy>${shown.currency}</Ccy></Acct>
${balanceXml('OPBD', shown.opening, shown)}${balanceXml('CLBD', shown.closing, shown)}
${shown.movements.map((movement) => entryXml(movement, shown)).join('\n')}
</${part}></${root}></Document>`;
}

/** A statement (camt.053). */
export const statement = (shown: Shown): string => camt('053', shown);

/** A notification of debits and credits (camt.054). */
export const notification = (shown: Shown): string => camt('054', shown);

export interface StatusOf {
  readonly payout: string;
  readonly attempt: string;
  readonly status: string;
  readonly reason?: string;
}

/** A status report (pain.002) about a message of ours, with a status for the whole or for single payments. */
export function statusReport(answer: {
  readonly message: string;
  readonly group?: string;
  readonly reason?: string;
  readonly id?: string;
  readonly payments?: readonly StatusOf[];
}): string {
  const why = (code: string | undefined): string =>
    code === undefined ? '' : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`;
  const payments = (answer.payments ?? []).map(
    ({ payout, attempt, status, reason }) => `<TxInfAndSts>
<OrgnlInstrId>${bankReference(attempt)}</OrgnlInstrId><OrgnlEndToEndId>${bankReference(payout)}</OrgnlEndToEndId>
<TxSts>${status}</TxSts>${why(reason)}</TxInfAndSts>`,
  );
  const listed =
    payments.length === 0
      ? ''
      : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${answer.message}</OrgnlPmtInfId>${payments.join('\n')}</OrgnlPmtInfAndSts>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>${answer.id ?? 'R1'}</MsgId><CreDtTm>2026-11-23T18:00:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${answer.message}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>
${tag('GrpSts', answer.group)}${why(answer.reason)}</OrgnlGrpInfAndSts>
${listed}</CstmrPmtStsRpt></Document>`;
}

/** What a bank says of an entry that was sent through the ACH. */
export interface AchAnswer {
  readonly trace: string;
  /** `R02`, … for a return, `C01`, … for a notification of change. */
  readonly code: string;
  /** Cents; of a notification zero. */
  readonly cents?: number;
  readonly corrected?: string;
}

const pad = (text: string | number, length: number): string => String(text).padStart(length, '0');

/** A NACHA file of returns and notifications of change, each in a batch of its own. */
export function achFile(answers: readonly AchAnswer[], day = '261202'): string {
  const lines = [
    `101 231380104 021000021${day}1200A094101${'ORIGINATOR'.padEnd(23)}${'BANK'.padEnd(23)}${''.padEnd(8)}`,
  ];
  let cents = 0;
  for (const [at, { trace, code, cents: amount = 0, corrected = '' }] of answers.entries()) {
    const change = code.startsWith('C');
    const own = `23138010${pad(at + 1, 7)}`;
    const sums = `${pad(2, 6)}${pad(2_100_002, 10)}${pad(0, 12)}${pad(amount, 12)}`;
    cents += amount;
    lines.push(
      `5220${'TEST BUSINESS'.padEnd(16)}${''.padEnd(20)}1234567890${change ? 'COR' : 'PPD'}${'PAYMENT'.padEnd(10)}${''.padEnd(6)}${day}   123138010${pad(at + 1, 7)}`,
      `621021000021${'123456'.padEnd(17)}${pad(amount, 10)}${''.padEnd(15)}${''.padEnd(22)}  1${own}`,
      change
        ? `798${code}${trace}${''.padEnd(6)}23138010${corrected.padEnd(29)}${''.padEnd(15)}${own}`
        : `799${code}${trace}${''.padEnd(6)}23138010${''.padEnd(44)}${own}`,
      `8220${sums}1234567890${''.padEnd(25)}23138010${pad(at + 1, 7)}`,
    );
  }
  const count = answers.length;
  const blocks = Math.ceil((lines.length + 1) / 10);
  lines.push(
    `9${pad(count, 6)}${pad(blocks, 6)}${pad(2 * count, 8)}${pad(2_100_002 * count, 10)}${pad(0, 12)}${pad(cents, 12)}${''.padEnd(39)}`,
  );
  while (lines.length % 10 !== 0) lines.push('9'.repeat(94));
  return `${lines.join('\n')}\n`;
}
