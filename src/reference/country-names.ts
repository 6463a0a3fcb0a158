import { countryCodes, isCountry } from './countries.ts';

/** Names of countries that lists and people write, beside those of Unicode's English. */
const otherNames: Readonly<Record<string, string>> = {
  AE: 'uae;emirates',
  BA: 'bosnia;bosnia herzegovina',
  BN: 'brunei darussalam',
  BO: 'bolivia plurinational state of',
  BY: 'belorussia',
  CD: 'democratic republic of the congo;congo democratic republic of the;drc;congo dr;dr congo;congo the democratic republic of the;zaire',
  CF: 'central african rep',
  CG: 'republic of the congo;congo;congo republic of the',
  CI: 'ivory coast;cote divoire',
  CN: 'peoples republic of china;prc;mainland china',
  CV: 'cabo verde',
  CZ: 'czech republic',
  GB: 'uk;united kingdom of great britain and northern ireland;great britain;england;scotland;wales;northern ireland',
  HK: 'hong kong',
  IR: 'iran islamic republic of;islamic republic of iran',
  KP: 'democratic peoples republic of korea;korea north;dprk;korea democratic peoples republic of',
  KR: 'republic of korea;korea south;korea republic of;korea',
  LA: 'lao peoples democratic republic',
  LY: 'libyan arab jamahiriya;state of libya',
  MD: 'republic of moldova;moldova republic of',
  MK: 'macedonia;the republic of north macedonia;former yugoslav republic of macedonia',
  MM: 'myanmar;burma',
  MO: 'macau;macao',
  NL: 'the netherlands;holland',
  PS: 'palestine;state of palestine;palestinian;west bank;gaza;gaza strip;occupied palestinian territories',
  RU: 'russian federation;ussr;soviet union',
  ST: 'sao tome and principe',
  SY: 'syrian arab republic',
  SZ: 'swaziland',
  TL: 'east timor',
  TR: 'turkey;turkiye',
  TW: 'taiwan province of china;chinese taipei',
  TZ: 'united republic of tanzania;tanzania united republic of',
  US: 'united states of america;usa;america',
  VA: 'holy see',
  VC: 'saint vincent and the grenadines',
  VE: 'venezuela bolivarian republic of',
  VN: 'viet nam;socialist republic of vietnam',
};

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’.]/g, '')
    .replaceAll(/&/g, ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function collect(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames(['en'], { type: 'region' });
  const found = new Map<string, string>();
  for (const code of countryCodes) {
    for (const name of [english.of(code) ?? '', ...(otherNames[code] ?? '').split(';')]) {
      found.set(plain(name), code);
    }
  }
  found.delete('');
  return found;
}

let known: ReadonlyMap<string, string> | undefined;

/**
 * The ISO 3166-1 alpha-2 code of a country by its English name, its code, or another name that lists use; null where
 * it is none of them.
 */
export function countryByName(name: string): string | null {
  const code = name.trim().toUpperCase();
  if (isCountry(code)) return code;
  known ??= collect();
  const words = plain(name);
  return known.get(words) ?? known.get(words.replace(/^the /, '')) ?? null;
}
