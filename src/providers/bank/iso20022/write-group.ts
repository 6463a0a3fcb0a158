import { currencyExponent, isCurrency } from '../../../reference/currencies.ts';
import { isBankDay } from '../../../values/bank-days/bank-day.ts';
import { isCivilDate } from '../../../values/bank-days/civil-date.ts';
import { toDecimalString } from '../../../values/money.ts';
import { checkOf, type Check, type Findings } from '../write-problems.ts';
import { fitName } from '../text/fit.ts';
import { basicLatin } from '../text/transliterate.ts';
import { debtorAccountXml, debtorAgentXml, partyXml } from './write-parties.ts';
import { referenceOf } from './write-payment.ts';
import { schemeRules } from './write-schemes.ts';
import type { CreditTransferFile, CreditTransferGroup } from './write-types.ts';
import { element, leaf } from './write-xml.ts';

/** How many payments there are and what they come to, in minor units of their currency. */
export interface GroupTotals {
  readonly count: number;
  readonly totalMinor: bigint;
}

/** The largest `DecimalNumber` of ISO 20022 has 18 digits in all. */
const mostDigits = 18;

function checkTotal(text: string, check: Check): string {
  if (text.replace('.', '').length > mostDigits) check.refuse('total', 'total_out_of_range');
  return text;
}

function checkDate(group: CreditTransferGroup, check: Check): void {
  const { executionDate, calendar, scheme } = group;
  if (!isCivilDate(executionDate)) check.refuse('executionDate', 'malformed');
  else if (!schemeRules[scheme].everyDay && !isBankDay(calendar, executionDate)) {
    check.refuse('executionDate', 'not_a_bank_day');
  }
}

const code = /^[A-Z0-9]{1,4}$/;
const instrument = /^[A-Za-z0-9]{1,35}$/;

/** `PmtTpInf`: the codes of the scheme, or those that the bank wants in their place. */
function paymentTypeXml({ scheme, options }: CreditTransferGroup, check: Check): string {
  const rules = schemeRules[scheme];
  const level = options?.serviceLevel === undefined ? rules.serviceLevel : options.serviceLevel;
  const local =
    options?.localInstrument === undefined ? rules.localInstrument : options.localInstrument;
  if (level !== null && !code.test(level)) check.refuse('options.serviceLevel', 'malformed');
  if (local !== null && !instrument.test(local)) {
    check.refuse('options.localInstrument', 'malformed');
  }
  return element('PmtTpInf', [
    element('SvcLvl', [leaf('Cd', level ?? '')]),
    element('LclInstrm', [leaf('Cd', local ?? '')]),
  ]);
}

/** What stands in a `PmtInf` before its payments. Told to `check` is what is wrong with the group. */
export function groupHead(group: CreditTransferGroup, totals: GroupTotals, check: Check): string {
  const { scheme, currency, options } = group;
  const rules = schemeRules[scheme];
  const { count, totalMinor } = totals;
  if (!isCurrency(currency) || (rules.currency !== null && rules.currency !== currency)) {
    check.refuse('currency', 'currency_unfit');
    return '';
  }
  checkDate(group, check);
  if (count === 0) check.refuse('payments', 'empty');
  const debtor = { field: 'debtor', longestName: rules.longestName, address: true } as const;
  const batch = options?.batchBooking;
  return [
    leaf('PmtInfId', referenceOf(group.id, 'id', check)),
    leaf('PmtMtd', 'TRF'),
    leaf('BtchBookg', batch === undefined ? '' : `${batch}`),
    leaf('NbOfTxs', `${count}`),
    leaf('CtrlSum', checkTotal(toDecimalString(totalMinor, currency), check)),
    paymentTypeXml(group, check),
    element('ReqdExctnDt', [leaf('Dt', group.executionDate)]),
    partyXml('Dbtr', group.debtor, debtor, check),
    debtorAccountXml(group.account, group.account.currency ?? currency, check),
    debtorAgentXml(group.bank, check),
    leaf('ChrgBr', options?.chargeBearer ?? rules.chargeBearer),
  ].join('');
}

/**
 * The control sum of a file: the plain sum of its amounts, whatever their currencies. Exact: every
 * amount is brought to the largest number of decimals that a currency of the file has.
 */
function controlSum(file: CreditTransferFile, totals: readonly GroupTotals[]): string {
  const exponents = file.groups.map(({ currency }) => currencyExponent(currency) ?? 0);
  const most = Math.max(0, ...exponents);
  const sum = totals.reduce((before, { totalMinor }, index) => {
    return before + totalMinor * 10n ** BigInt(most - (exponents[index] ?? 0));
  }, 0n);
  if (most === 0) return sum.toString();
  const digits = sum.toString().padStart(most + 1, '0');
  return `${digits.slice(0, -most)}.${digits.slice(-most)}`;
}

/** `GrpHdr`. */
export function fileHead(
  file: CreditTransferFile,
  totals: readonly GroupTotals[],
  check: Check,
): string {
  const { initiator, createdAt } = file;
  if (totals.length === 0) check.refuse('groups', 'empty');
  if (Number.isNaN(createdAt.getTime())) {
    check.refuse('createdAt', 'malformed');
    return '';
  }
  const name = { permitted: basicLatin, longest: 70 };
  const count = totals.reduce((before, group) => before + group.count, 0);
  const id = initiator.id === undefined ? '' : referenceOf(initiator.id, 'initiator.id', check);
  return element('GrpHdr', [
    leaf('MsgId', referenceOf(file.messageId, 'messageId', check)),
    leaf('CreDtTm', createdAt.toISOString().replace(/\.[0-9]{3}Z$/, 'Z')),
    leaf('NbOfTxs', `${count}`),
    leaf('CtrlSum', checkTotal(controlSum(file, totals), check)),
    element('InitgPty', [
      leaf('Nm', fitName(initiator.name, 'initiator.name', name, check)),
      element('Id', [element('OrgId', [element('Othr', [leaf('Id', id)])])]),
    ]),
  ]);
}

/** Two groups of one account, date, currency and scheme are one group, and no two have one id. */
export function checkGroupsApart(groups: readonly CreditTransferGroup[], findings: Findings): void {
  const seen = new Set<string>();
  for (const { id, account, executionDate, currency, scheme } of groups) {
    const key = [account.iban ?? account.number, executionDate, currency, scheme].join(' ');
    if (seen.has(key)) checkOf(id, findings).refuse('id', 'group_repeated');
    if (seen.has(id)) checkOf(id, findings).refuse('id', 'duplicate');
    seen.add(key).add(id);
  }
}
