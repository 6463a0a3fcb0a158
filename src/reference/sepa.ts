/**
 * The 41 countries of the SEPA schemes (European Payments Council, list of SEPA scheme countries,
 * 2026). The United Kingdom is one of them. The list is kept here because the library's lacks AL, MD,
 * ME, MK and RS.
 */
export const sepaCountries: readonly string[] = // European Union
  (
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK ' +
    // European Economic Area
    'IS LI NO ' +
    // Others that joined the schemes
    'AD AL CH GB MC MD ME MK RS SM VA'
  ).split(' ');

const members: ReadonlySet<string> = new Set(sepaCountries);

/** Whether `country` (alpha-2) takes part in SEPA. */
export function isSepaCountry(country: string): boolean {
  return members.has(country);
}
