/** The European Economic Area. */
const eea =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  );

/** Countries outside of it that joined the schemes. */
const others = 'AD AL CH GB MC MD ME MK RS SM VA'.split(' ');

/**
 * The 41 countries of the SEPA schemes (European Payments Council, list of SEPA scheme countries,
 * 2026). The United Kingdom is one of them. The list is kept here because the library's lacks AL, MD,
 * ME, MK and RS.
 */
export const sepaCountries: readonly string[] = [...eea, ...others];

const members: ReadonlySet<string> = new Set(sepaCountries);

/** Whether `country` (alpha-2) takes part in SEPA. */
export function isSepaCountry(country: string): boolean {
  return members.has(country);
}

const eeaMembers: ReadonlySet<string> = new Set(eea);

/**
 * Whether a SEPA payment needs the BIC of the payee's bank: it crosses a border, and one of the two accounts is outside of
 * the European Economic Area (European Payments Council, SEPA credit transfer scheme rulebook; Regulation (EU) No
 * 260/2012 frees payments within the EEA alone from it).
 *
 * @param debtor country of the account that pays, or null where it has no IBAN
 * @param creditor country of the payee's account; one outside of SEPA gets no such payment, so nothing is needed
 */
export function needsBic(debtor: string | null, creditor: string): boolean {
  if (debtor === creditor || !isSepaCountry(creditor)) return false;
  return !eeaMembers.has(creditor) || (debtor !== null && !eeaMembers.has(debtor));
}
