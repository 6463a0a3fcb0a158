import { isValidIBAN } from 'ibantools';
import { isCountry } from '../../../reference/countries.ts';
import { isSepaCountry, needsBic } from '../../../reference/sepa.ts';
import { isAbaNumber } from '../../../values/aba.ts';
import type { Check } from '../write-problems.ts';
import { fitCode, fitName, fitText } from '../text/fit.ts';
import { basicLatin } from '../text/transliterate.ts';
import type { Account, Agent, BankAddress, GroupOptions, Party, Scheme } from './write-types.ts';
import { element, leaf } from './write-xml.ts';

/** Of an `AdrLine`, of which the hybrid form has at most two. */
const longestLine = 70;

const room = (longest: number) => ({ permitted: basicLatin, longest });

function country(value: string | undefined, field: string, check: Check): string {
  if (value === undefined || value === '') check.refuse(field, 'country_missing');
  else if (!isCountry(value)) check.refuse(field, 'malformed');
  return value ?? '';
}

function town(value: string | undefined, field: string, check: Check): string {
  if (value !== undefined && value.trim() !== '') return fitName(value, field, room(35), check);
  check.refuse(field, 'town_missing');
  return '';
}

/**
 * The free lines of an address. A single one that is too long goes on in the second, so that less of it
 * is cut.
 */
function addressLines({ lines = [] }: BankAddress): readonly string[] {
  const given = lines.filter((line) => line.trim() !== '');
  const [only = '', ...more] = given;
  const words = only.slice(0, longestLine + 1).lastIndexOf(' ');
  if (more.length > 0 || only.length <= longestLine || words < 1) return given;
  return [only.slice(0, words), only.slice(words + 1)];
}

/** `PostalAddress24`. Without a street the lines are the hybrid form, of which two are permitted. */
function addressXml(address: BankAddress, field: string, check: Check): string {
  const text = (part: 'street' | 'region', longest: number) =>
    fitText(address[part], `${field}.${part}`, room(longest), check);
  const code = (part: 'buildingNumber' | 'postalCode') =>
    fitCode(address[part], `${field}.${part}`, room(16), check);
  const lines = addressLines(address);
  if (lines.length > 2) check.refuse(`${field}.lines`, 'too_long', 'At most two lines.');
  return element('PstlAdr', [
    leaf('StrtNm', text('street', 70)),
    leaf('BldgNb', code('buildingNumber')),
    leaf('PstCd', code('postalCode')),
    leaf('TwnNm', town(address.town, `${field}.town`, check)),
    leaf('CtrySubDvsn', text('region', 35)),
    leaf('Ctry', country(address.country, `${field}.country`, check)),
    ...lines.map((line) =>
      leaf('AdrLine', fitText(line, `${field}.lines`, room(longestLine), check)),
    ),
  ]);
}

/** What a party is written by; `field` names it in problems. */
export interface PartyRules {
  readonly field: 'debtor' | 'creditor';
  readonly longestName: number;
  readonly address: boolean;
}

/** `PartyIdentification135` with a name and, where there is one, an address. */
export function partyXml(name: string, party: Party, rules: PartyRules, check: Check): string {
  const { field, longestName } = rules;
  if (party.address === undefined && rules.address) {
    check.refuse(`${field}.address`, 'address_missing');
  }
  return element(name, [
    leaf('Nm', fitName(party.name, `${field}.name`, room(longestName), check)),
    party.address === undefined ? '' : addressXml(party.address, `${field}.address`, check),
  ]);
}

const isIban = (iban: string) => /^[A-Z0-9]+$/.test(iban) && isValidIBAN(iban);

const otherAccount = /^[A-Za-z0-9](?:[A-Za-z0-9/-]{0,32}[A-Za-z0-9])?$/;

const isOther = (number: string | undefined) =>
  otherAccount.test(number ?? '') && !(number ?? '').includes('//');

/** Whether the scheme reaches the account; a UK account number has eight digits beside its sort code. */
function isReached({ iban, number }: Account, scheme: Scheme): boolean {
  const byIban = iban !== undefined && isIban(iban);
  switch (scheme) {
    case 'sepa_credit_transfer':
    case 'sepa_instant':
      return byIban && isSepaCountry(iban.slice(0, 2));
    case 'uk_domestic':
      return iban === undefined ? /^[0-9]{8}$/.test(number ?? '') : byIban && iban.startsWith('GB');
    case 'us_wire':
      return iban === undefined && isOther(number);
    case 'cross_border':
      return iban === undefined ? isOther(number) : byIban;
  }
}

/** `AccountIdentification4Choice` in an account of the given name. */
function accountXml(name: string, { iban, number }: Account, currency: string): string {
  const id = iban === undefined ? element('Othr', [leaf('Id', number ?? '')]) : leaf('IBAN', iban);
  return element(name, [element('Id', [id]), leaf('Ccy', currency)]);
}

/** The account of the payee, refused as `account_unfit` where the scheme cannot pay to it. */
export function creditorAccountXml(account: Account, scheme: Scheme, check: Check): string {
  if (account.iban === undefined && account.number === undefined) {
    check.refuse('creditor.account', 'missing');
  } else if (!isReached(account, scheme)) check.refuse('creditor.account', 'account_unfit');
  return accountXml('CdtrAcct', account, '');
}

/** Our own account: any IBAN or number, with its currency. */
export function debtorAccountXml(account: Account, currency: string, check: Check): string {
  const { iban, number } = account;
  if (iban === undefined && number === undefined) check.refuse('debtor.account', 'missing');
  else if (iban === undefined ? !isOther(number) : !isIban(iban)) {
    check.refuse('debtor.account', 'account_unfit');
  }
  return accountXml('DbtrAcct', account, currency);
}

/** `BICFIDec2014Identifier` of ISO 20022. */
const bicShape = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

/** `FinancialInstitutionIdentification18`, or '' where the bank has no code that can be written. */
function agentXml(name: string, agent: Agent, field: string, check: Check): string {
  const { bic, sortCode, abaNumber } = agent;
  if (bic !== undefined && !bicShape.test(bic)) check.refuse(`${field}.bic`, 'malformed');
  if (sortCode !== undefined && !/^[0-9]{6}$/.test(sortCode)) {
    check.refuse(`${field}.sortCode`, 'malformed');
  }
  if (abaNumber !== undefined && !isAbaNumber(abaNumber)) {
    check.refuse(`${field}.abaNumber`, 'malformed');
  }
  const member = (system: string, id: string | undefined) =>
    id === undefined
      ? ''
      : element('ClrSysMmbId', [element('ClrSysId', [leaf('Cd', system)]), leaf('MmbId', id)]);
  const clearing = sortCode === undefined ? member('USABA', abaNumber) : member('GBDSC', sortCode);
  const institution = element('FinInstnId', [leaf('BICFI', bic ?? ''), clearing]);
  return institution === '' ? '' : element(name, [institution]);
}

/** What the bank of the payee has to know of the group. */
interface AgentGroup {
  readonly scheme: Scheme;
  readonly account?: Account | undefined;
  readonly options?: GroupOptions | undefined;
}

/** Whether SEPA asks for the BIC of the payee's bank, as far as our own bank does not do without it. */
function isSepaBicNeeded({ iban }: Account, { account, options }: AgentGroup): boolean {
  if (options?.bicOutsideEea === false || iban === undefined) return false;
  return needsBic(account?.iban?.slice(0, 2) ?? null, iban.slice(0, 2));
}

/** The bank of the payee, refused as `bank_missing` where the scheme cannot find it without a code. */
export function creditorAgentXml(
  agent: Agent | undefined,
  { account, group }: { readonly account: Account; readonly group: AgentGroup },
  check: Check,
): string {
  const { bic, sortCode, abaNumber } = agent ?? {};
  const { scheme } = group;
  const sepaBicMissing = bic === undefined && isSepaBicNeeded(account, group);
  const needed = {
    sepa_credit_transfer: sepaBicMissing,
    sepa_instant: sepaBicMissing,
    // An IBAN of the UK holds the sort code.
    uk_domestic: account.iban === undefined && sortCode === undefined,
    us_wire: abaNumber === undefined,
    cross_border: bic === undefined,
  }[scheme];
  if (needed) check.refuse('creditor.bank', 'bank_missing');
  if (agent === undefined) return '';
  // SEPA knows banks by their BIC alone.
  const written = scheme.startsWith('sepa_') ? { bic } : agent;
  return agentXml('CdtrAgt', written, 'creditor.bank', check);
}

/** Our own bank, which may be left unnamed: it knows whose file it is. */
export function debtorAgentXml(agent: Agent | undefined, check: Check): string {
  const named = agent === undefined ? '' : agentXml('DbtrAgt', agent, 'debtor.bank', check);
  if (named !== '') return named;
  const unnamed = element('Othr', [leaf('Id', 'NOTPROVIDED')]);
  return element('DbtrAgt', [element('FinInstnId', [unnamed])]);
}
