/** What a check of the holder's name against the bank's own comes to. */
export const nameCheckResults = ['match', 'close_match', 'no_match', 'not_possible'] as const;
export type NameCheckResult = (typeof nameCheckResults)[number];

/**
 * The codes of the verification of payees: of EPC's scheme, of pain.002 and of the UK's Confirmation of Payee. Sources
 * disagree about the last five, which say nothing about the name: here the name could not be checked.
 * @see https://www.europeanpaymentscouncil.eu/what-we-do/other-schemes/verification-payee
 */
const results: Readonly<Record<string, NameCheckResult>> = {
  MTCH: 'match',
  CMTC: 'close_match',
  NMTC: 'no_match',
  NOAP: 'not_possible',
  RCVC: 'match',
  RVMC: 'close_match',
  RVNM: 'no_match',
  RVNA: 'not_possible',
  // Of a whole file: nothing is said of one payment.
  RVNC: 'not_possible',
  RVCM: 'not_possible',
  ANNM: 'no_match',
  MBAM: 'close_match',
  // The name is right, and the account is a business's instead of a person's, or the other way round.
  BANM: 'close_match',
  PANM: 'close_match',
  BAMM: 'close_match',
  PAMM: 'close_match',
  AC01: 'no_match',
  IVCR: 'not_possible',
  ACNS: 'not_possible',
  OPTO: 'not_possible',
  CASS: 'not_possible',
  SCNS: 'not_possible',
};

/** What a source's own code means; one that nobody knows says that nothing could be checked. */
export const nameCheckResultOf = (code: string): NameCheckResult =>
  (Object.hasOwn(results, code) ? results[code] : undefined) ?? 'not_possible';
