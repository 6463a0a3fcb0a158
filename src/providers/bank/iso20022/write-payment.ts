import { toDecimalString } from '../../../values/money.ts';
import type { Check } from '../write-problems.ts';
import { fitText } from '../text/fit.ts';
import { bankReference, referenceFault } from '../text/reference.ts';
import { basicLatin } from '../text/transliterate.ts';
import { creditorAccountXml, creditorAgentXml, partyXml } from './write-parties.ts';
import { purposeCodes, schemeRules } from './write-schemes.ts';
import type { CreditTransfer, CreditTransferGroup } from './write-types.ts';
import { element, leaf } from './write-xml.ts';

/** What a payment has to know of its group. */
export type GroupFacts = Pick<CreditTransferGroup, 'scheme' | 'currency' | 'options'> &
  Partial<Pick<CreditTransferGroup, 'account'>>;

/** A reference of ours as it stands in the file, refused as `malformed` where no bank would take it. */
export function referenceOf(id: string, field: string, check: Check): string {
  const reference = bankReference(id);
  const fault = referenceFault(reference);
  if (fault !== null) check.refuse(field, 'malformed', `A reference ${fault}.`);
  return reference;
}

/** `UUIDv4Identifier` of ISO 20022: lower case. */
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function uetrXml({ uetr }: CreditTransfer, needed: boolean, check: Check): string {
  if (uetr === undefined) {
    if (needed) check.refuse('uetr', 'missing');
    return '';
  }
  if (!uuidV4.test(uetr)) check.refuse('uetr', 'malformed', 'It is a UUIDv4 in lower case.');
  return leaf('UETR', uetr);
}

function amountXml(amountMinor: bigint, { scheme, currency }: GroupFacts, check: Check): string {
  if (amountMinor < 1n || amountMinor > schemeRules[scheme].largestAmount) {
    check.refuse('amountMinor', 'amount_out_of_range');
  }
  const text = toDecimalString(amountMinor, currency);
  return element('Amt', [`<InstdAmt Ccy="${currency}">${text}</InstdAmt>`]);
}

/**
 * `CdtTrfTxInf`, one payment. What is wrong with it is told to `check`; then the text is of no use.
 * @param group its currency is a known one: that is checked for the whole group
 */
export function paymentXml(payment: CreditTransfer, group: GroupFacts, check: Check): string {
  const { scheme, options } = group;
  const rules = schemeRules[scheme];
  const { account, bank, purpose } = payment;
  const party = {
    field: 'creditor',
    longestName: rules.longestName,
    address: rules.creditorAddress,
  } as const;
  const writesPurpose = purpose !== undefined && options?.purposeCodes !== false;
  const message = { permitted: basicLatin, longest: 140 };
  return element('CdtTrfTxInf', [
    element('PmtId', [
      leaf('InstrId', referenceOf(payment.attemptId, 'attemptId', check)),
      leaf('EndToEndId', referenceOf(payment.payoutId, 'payoutId', check)),
      uetrXml(payment, rules.uetr, check),
    ]),
    amountXml(payment.amountMinor, group, check),
    creditorAgentXml(bank, { account, group }, check),
    partyXml('Cdtr', payment.creditor, party, check),
    creditorAccountXml(account, scheme, check),
    element('Purp', [leaf('Cd', writesPurpose ? purposeCodes[purpose] : '')]),
    element('RmtInf', [leaf('Ustrd', fitText(payment.message, 'message', message, check))]),
  ]);
}
