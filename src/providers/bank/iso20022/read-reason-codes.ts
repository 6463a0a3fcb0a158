import type { ProviderFailure } from '../../port.ts';
import { returnCodes } from '../nacha/read-return-codes.ts';
import type { Reason, ReasonMeaning } from '../report.ts';

interface ReasonEntry {
  readonly means: ReasonMeaning;
  readonly text: string;
}

const account = (text: string): ReasonEntry => ({ means: 'invalid_account', text });
const closed = (text: string): ReasonEntry => ({ means: 'account_closed', text });
const named = (text: string): ReasonEntry => ({ means: 'name_mismatch', text });
const funds = (text: string): ReasonEntry => ({ means: 'insufficient_provider_funds', text });
const regulated = (text: string): ReasonEntry => ({ means: 'compliance_rejected', text });
const refused = (text: string): ReasonEntry => ({ means: 'provider_rejected', text });
const other = (text: string): ReasonEntry => ({ means: 'other', text });
const duplicate = (text: string): ReasonEntry => ({ means: 'duplicate', text });

/**
 * Reasons for a status or a return in ISO 20022's external code sets, and what they mean for a payout.
 * @see https://www.iso20022.org/catalogue-messages/additional-content-messages/external-code-sets
 */
export const reasonCodes: Readonly<Record<string, ReasonEntry>> = {
  AC01: account('The account number is wrong'),
  AC02: refused('The debtor’s account number is wrong'),
  AC03: account('The payee’s account number is wrong'),
  AC04: closed('The account is closed'),
  AC05: refused('The debtor’s account is closed'),
  AC06: account('The account is blocked'),
  AC07: closed('The payee’s account is closed'),
  AC14: account('The kind of the payee’s account is wrong'),
  AG01: refused('The account allows no such transaction'),
  AG02: refused('The code of the transaction is wrong'),
  AM01: refused('The amount is zero'),
  AM02: refused('The amount is larger than allowed'),
  AM03: refused('The account does not take this currency'),
  AM04: funds('The debtor’s account has too little money'),
  AM05: duplicate('The bank has this payment already'),
  AM06: refused('The amount is smaller than allowed'),
  AM07: refused('The amount is blocked'),
  AM09: refused('The amount is not the agreed one'),
  AM10: refused('The control sum is wrong'),
  AM12: refused('The amount is wrong or missing'),
  AM14: refused('The amount is above the limit that was agreed'),
  AM21: refused('The limit of the account is reached'),
  BE01: named('The name does not belong to the account'),
  BE04: refused('The payee’s address is missing or wrong'),
  BE05: refused('The initiating party is not known'),
  BE06: account('The payee is not known at this bank'),
  BE07: refused('The debtor’s address is missing or wrong'),
  BE08: other('The bank made an error'),
  CNOR: account('The payee’s bank is not registered'),
  CURR: refused('The currency is wrong'),
  CUST: refused('Asked for by the customer'),
  DNOR: refused('The debtor’s bank is not registered'),
  DT01: refused('The date is wrong'),
  DU01: duplicate('The bank has a message of this id already'),
  DU02: duplicate('The bank has a batch of this id already'),
  DU03: duplicate('The bank has this transaction already'),
  DU04: duplicate('The bank has a payment of this end-to-end id already'),
  DU05: duplicate('The bank has a payment of this instruction id already'),
  DUPL: duplicate('The bank has this file or payment already'),
  ED05: refused('The settlement failed'),
  FF01: refused('The format of the file is wrong'),
  FOCR: other('Returned after a request to cancel it'),
  FR01: regulated('Suspected fraud'),
  FRAD: regulated('Said to be fraud'),
  LEGL: regulated('Refused on legal grounds'),
  MD06: other('The payer asked for the money back (debits)'),
  MD07: other('The account’s holder is dead'),
  MS02: refused('The payee or the payee’s bank gives no reason'),
  MS03: refused('The bank gives no reason'),
  NARR: refused('The reason stands in the text'),
  NMTC: named('The check of the payee’s name failed'),
  NOAS: other('The payee did not answer'),
  RC01: account('The code of the bank is wrong'),
  RC03: refused('The code of the debtor’s bank is wrong'),
  RC04: account('The code of the payee’s bank is wrong'),
  RF01: refused('The reference is not unique'),
  RR01: regulated('The debtor’s account or identification is missing'),
  RR02: regulated('The debtor’s name or address is missing'),
  RR03: regulated('The payee’s name or address is missing'),
  RR04: regulated('Regulation'),
  RR05: regulated('A regulatory text is missing'),
  RR12: regulated('An identification is missing or wrong'),
  TM01: refused('It came after the cut-off time'),
};

/** Banks that say it in words. A payment that may be there already must not count as failed. */
const saysDuplicate =
  /\bduplicat|\balready\s+(?:exist|receiv|process|been|used|submitted|present)/i;

/** The table's entry for a reason. Banks in the US write the return codes of NACHA as their own words. */
function entryOf({ code, proprietary }: Reason): ReasonEntry | null {
  if (code !== null && Object.hasOwn(reasonCodes, code)) return reasonCodes[code] ?? null;
  const word = proprietary ?? code ?? '';
  if (Object.hasOwn(reasonCodes, word)) return reasonCodes[word] ?? null;
  return Object.hasOwn(returnCodes, word) ? (returnCodes[word] ?? null) : null;
}

/** What one reason means. A code that is not in the table is a refusal of which nothing more is known. */
function meaningOf(reason: Reason): ReasonMeaning {
  const entry = entryOf(reason);
  if (entry?.means === 'duplicate') return 'duplicate';
  if (reason.texts.some((text) => saysDuplicate.test(text))) return 'duplicate';
  if (reason.proprietary !== null && saysDuplicate.test(reason.proprietary)) return 'duplicate';
  return entry?.means ?? 'other';
}

/** Reasons that tell a person what to do come before those that only say that something was refused. */
function weight(meaning: ReasonMeaning): number {
  if (meaning === 'other') return 0;
  return meaning === 'provider_rejected' ? 1 : 2;
}

const longestMessage = 1_000;

function messageOf(reason: Reason): string {
  const code = reason.code ?? reason.proprietary;
  const words = [entryOf(reason)?.text, ...reason.texts]
    .filter((text) => text != null && text !== '')
    .join('; ');
  return [code, words].filter((text) => text !== null && text !== '').join(': ');
}

/**
 * What several reasons mean together, for a payment that was refused or came back. `duplicate` where any of them
 * says so: then it is not a failure.
 */
export function failureOf(reasons: readonly Reason[]): ProviderFailure | 'duplicate' {
  const meanings = reasons.map(meaningOf);
  if (meanings.includes('duplicate')) return 'duplicate';
  let code: ProviderFailure['code'] = reasons.length === 0 ? 'provider_rejected' : 'other';
  for (const meaning of meanings) {
    if (meaning !== 'duplicate' && weight(meaning) > weight(code)) code = meaning;
  }
  const message = reasons
    .map(messageOf)
    .filter((text) => text !== '')
    .join(' | ');
  return {
    code,
    message: (message === '' ? 'The bank gives no reason.' : message).slice(0, longestMessage),
  };
}
