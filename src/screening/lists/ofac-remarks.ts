import { countryByName } from '../../reference/country-names.ts';
import { fromOfac, type Interval } from './dates.ts';
import type { ListedIdentifier, ListedName } from './entry.ts';
import { identifierClass, isOfacIdentifier } from './ofac-ids.ts';

/** What the CSV of OFAC says in its remarks alone. */
export interface Remarks {
  readonly births: readonly (Interval | null)[];
  readonly nationalities: readonly (string | null)[];
  readonly places: readonly (string | null)[];
  readonly identifiers: readonly ListedIdentifier[];
  readonly names: readonly ListedName[];
}

/** `a.k.a. 'HESA'`: weak aliases are in the remarks alone. An apostrophe may stand within the name. */
const alias = /^([af])\.?k\.?a\.? '(.*)'$/i;

/** `Passport P0017003 (Belize)`, `SWIFT/BIC KYCBKPPY`: words, then what has a digit or is a BIC, then a country. */
const numbered =
  /^(.*?[A-Za-z.)]) ((?=\S*\d)\S+|[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)(?: \(([^()]*)\))?$/;

function identifierOf(remark: string): ListedIdentifier[] {
  const [, label, number, country] = numbered.exec(remark) ?? [];
  if (label === undefined || number === undefined || !isOfacIdentifier(label)) return [];
  const kind = identifierClass(label);
  if (kind === 'other' && country === undefined) return [];
  return [{ class: kind, label, number, country: countryByName(country ?? '') }];
}

/** Takes the remarks of a row apart: `DOB 28 Jul 1963; POB Toledo District, Belize; …`. */
export function readRemarks(text: string): Remarks {
  const parts = text
    .replace(/\.$/, '')
    .split(';')
    .map((part) => part.trim().replace(/^alt\. /, ''));
  const after = (word: string): string[] =>
    parts.filter((part) => part.startsWith(`${word} `)).map((part) => part.slice(word.length + 1));
  return {
    births: after('DOB').map(fromOfac),
    nationalities: [...after('nationality'), ...after('citizen')].map(countryByName),
    places: after('POB').map((place) => countryByName(place.split(',').at(-1) ?? '')),
    identifiers: parts.flatMap(identifierOf),
    names: parts.flatMap((part): ListedName[] => {
      const [, kind, name] = alias.exec(part) ?? [];
      if (kind === undefined || name === undefined) return [];
      return [{ text: name, role: kind.toLowerCase() === 'f' ? 'former' : 'alias', weak: true }];
    }),
  };
}
