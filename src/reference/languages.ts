/** The languages of the collection pages, of their mails and of the console, by primary subtag (BCP 47). */
export const languageCodes = ['en', 'de', 'fr', 'es', 'pt'] as const;
export type LanguageCode = (typeof languageCodes)[number];

/**
 * The countries (ISO 3166-1 alpha-2) in which one of our languages is what most people read. A country
 * with several of them, as Belgium or Canada, is left out: a guess there would often be wrong.
 */
const countriesOf: Readonly<Record<Exclude<LanguageCode, 'en'>, string>> = {
  de: 'AT CH DE LI',
  fr: 'BF BJ CD CG CI FR GA GF GN GP MC ML MQ NC NE PF PM RE SN TG YT',
  es: 'AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PY SV UY VE',
  pt: 'AO BR CV GW MZ PT ST',
};

const languageOfCountry: ReadonlyMap<string, LanguageCode> = new Map(
  Object.entries(countriesOf).flatMap(([language, countries]) =>
    countries
      .split(' ')
      .map((country): [string, LanguageCode] => [country, language as LanguageCode]),
  ),
);

/** The language that most people of a country read, where it is one of ours and not English. */
export function languageIn(country: string | null): LanguageCode | null {
  return country === null ? null : (languageOfCountry.get(country) ?? null);
}
