import type { IdentifierClass } from './entry.ts';

/** What the words for a number say that it is. The first that fits counts. */
const classes: readonly (readonly [IdentifierClass, RegExp])[] = [
  ['passport', /passport|reisepass|pasaporte|passeport/i],
  ['bic', /swift|\bbic\b/i],
  ['lei', /legal entity (number|identifier)|\blei\b/i],
  ['vessel', /vessel registration|\bimo\b|mmsi/i],
  ['tax', /\btax|fiscal|v\.?a\.?t\b|\brfc\b|\bnit\b|\bruc\b|\bcuit\b|\brut\b|r\.?i\.?f\b|\binn\b/i],
  [
    'registration',
    /registration|company number|commercial registry|business number|chamber of commerce|ogrn|folio mercantil|matricula|\bduns\b|d-u-n-s|enterprise number|regnumber|trade license|registered/i,
  ],
  [
    'national',
    /national id|identification n|identity card|\bid card|personal id|cedula|\bssn\b|social security|d\.?n\.?i\b|c\.?u\.?r\.?p\b|tazkira|birth certificate|citizen|residen|driver|dpi|kartu|electoral|military|^id\b/i,
  ],
];

/** The class of a number by the words that a list has for it; `other` where they say nothing known. */
export function identifierClass(label: string): IdentifierClass {
  return classes.find(([, words]) => words.test(label))?.[0] ?? 'other';
}

/** What OFAC puts among its numbers though it identifies nobody. */
const remarks =
  /:$|gender|target type|website|e-?mail|phone|fax|executive order|listing date|effective date|date|manufactur|model|operator|mode s|construction number|serial|type|nationality|sanctions|directive|additional|transactions|organization|linked|prohibited|determination|position/i;

/** Whether a kind of number of OFAC's says whose it is. */
export const isOfacIdentifier = (label: string): boolean => !remarks.test(label);
