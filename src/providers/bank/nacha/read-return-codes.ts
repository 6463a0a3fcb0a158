import type { ReasonMeaning } from '../report.ts';

interface ReturnCode {
  readonly means: ReasonMeaning;
  readonly text: string;
}

const account = (text: string): ReturnCode => ({ means: 'invalid_account', text });
const closed = (text: string): ReturnCode => ({ means: 'account_closed', text });
const refused = (text: string): ReturnCode => ({ means: 'provider_rejected', text });
const regulated = (text: string): ReturnCode => ({ means: 'compliance_rejected', text });
const other = (text: string): ReturnCode => ({ means: 'other', text });
const duplicate = (text: string): ReturnCode => ({ means: 'duplicate', text });

/**
 * Return codes of NACHA: R01 to R47 and R80 to R85 from the receiving bank or an operator, R50 to R53 for checks,
 * R61 to R70 for dishonored returns, R71 to R77 for contested ones. Many are for debits alone and are named
 * because they may come all the same.
 * @see https://achdevguide.nacha.org/ach-file-details
 */
export const returnCodes: Readonly<Record<string, ReturnCode>> = {
  R01: other('Too little money on the account (debits)'),
  R02: closed('The account is closed'),
  R03: account('There is no such account, or it is not the named person’s'),
  R04: account('The account number is not valid'),
  R05: other('Not authorized by the consumer (debits)'),
  R06: other('Returned at the originating bank’s request'),
  R07: other('The authorization was revoked (debits)'),
  R08: other('The payment was stopped (debits)'),
  R09: other('The funds are not collected (debits)'),
  R10: other('Not authorized by the receiver (debits)'),
  R11: other('Not as it was authorized (debits)'),
  R12: account('The account was sold to another bank'),
  R13: account('The routing number is not valid'),
  R14: other('The representative payee is dead or cannot act'),
  R15: other('The account’s holder is dead'),
  R16: regulated('The account is frozen, or the sanctions office orders the return'),
  R17: account('The entry does not pass the bank’s checks, or its account number is doubtful'),
  R18: refused('The effective date is wrong'),
  R19: refused('The amount is wrong'),
  R20: account('The account takes no such transactions'),
  R21: refused('The company’s identification is not valid'),
  R22: refused('The individual’s identification is not valid'),
  R23: refused('The receiver refuses the credit'),
  R24: duplicate('The entry is there twice'),
  R25: refused('The addenda are wrong'),
  R26: refused('A mandatory field is wrong'),
  R27: refused('The trace number is wrong'),
  R28: account('The check digit of the routing number is wrong'),
  R29: other('Not authorized by the company (debits)'),
  R30: other('The bank takes no truncated checks'),
  R31: other('Returned late, with the originating bank’s permission'),
  R32: refused('The receiving bank cannot settle'),
  R33: other('Return of a destroyed check entry'),
  R34: refused('The receiving bank’s participation is limited'),
  R35: other('Improper debit (debits)'),
  R36: refused('Improper credit'),
  R37: other('The source document was presented for payment (debits)'),
  R38: other('The source document was stopped (debits)'),
  R39: other('The source document is improper (debits)'),
  R40: other('The enrollment is returned by an agency'),
  R41: other('The transaction code of the enrollment is wrong'),
  R42: other('The routing number of the enrollment is wrong'),
  R43: other('The account number of the enrollment is wrong'),
  R44: other('The individual’s identification in the enrollment is wrong'),
  R45: other('The name in the enrollment is wrong'),
  R46: other('The representative payee indicator of the enrollment is wrong'),
  R47: other('The enrollment is there twice'),
  R50: other('State law forbids the re-presented check'),
  R51: other('The re-presented check is not eligible'),
  R52: other('The re-presented check was stopped'),
  R53: other('The re-presented check was presented for payment'),
  R61: other('Dishonored: the return was misrouted'),
  R62: other('Dishonored: return of an erroneous or reversing debit'),
  R67: other('Dishonored: the return is there twice'),
  R68: other('Dishonored: the return came too late'),
  R69: other('Dishonored: fields of the return are wrong'),
  R70: other('Dishonored: the return was not asked for'),
  R71: other('Contested: the dishonored return was misrouted'),
  R72: other('Contested: the dishonored return came too late'),
  R73: other('Contested: the return was in time'),
  R74: other('Contested: the return is corrected'),
  R75: other('Contested: the return is not there twice'),
  R76: other('Contested: no errors were found'),
  R77: other('Contested: the dishonor is not accepted'),
  R80: refused('The international entry is coded wrongly'),
  R81: refused('The bank takes no international entries'),
  R82: account('The foreign bank’s identification is not valid'),
  R83: refused('The foreign bank cannot settle'),
  R84: refused('The gateway did not process the entry'),
  R85: refused('The payment abroad is coded wrongly'),
};

/** What a return code means for a payout, and in words. */
export function returnMeaning(code: string): ReturnCode {
  const known = Object.hasOwn(returnCodes, code) ? returnCodes[code] : undefined;
  return known ?? other('A code that is not known here');
}
