import { countryCodes } from '../../src/reference/countries.ts';
import { currencyCodes } from '../../src/reference/currencies.ts';
import { languages, type Language } from './languages.ts';

export interface NamedCode {
  readonly code: string;
  readonly name: string;
}

function named(codes: readonly string[], language: Language, type: 'region' | 'currency') {
  const { locale } = languages[language];
  const names = new Intl.DisplayNames([locale], { type });
  const { compare } = new Intl.Collator(locale);
  return codes
    .map((code): NamedCode => ({ code, name: names.of(code) ?? code }))
    .toSorted((a, b) => compare(a.name, b.name));
}

const lists = new Map<string, readonly NamedCode[]>();

function listOf(codes: readonly string[], language: Language, type: 'region' | 'currency') {
  const key = `${type} ${language}`;
  const list = lists.get(key) ?? named(codes, language, type);
  lists.set(key, list);
  return list;
}

/** Every country by its name in a language, sorted as that language sorts. */
export function countriesIn(language: Language): readonly NamedCode[] {
  return listOf(countryCodes, language, 'region');
}

/** Every currency by its name in a language. */
export function currenciesIn(language: Language): readonly NamedCode[] {
  return listOf(currencyCodes, language, 'currency');
}

/** The countries by the currency that accounts there mostly have (ISO 4217, list one, as of 2026). */
const countriesByCurrency: Readonly<Record<string, string>> = {
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT',
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI ZW',
  GBP: 'GB GG GS IM JE',
  CHF: 'CH LI',
  DKK: 'DK FO GL',
  NOK: 'BV NO SJ',
  AUD: 'AU CC CX HM KI NF NR TV',
  NZD: 'CK NU NZ PN TK',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XAF: 'CF CG CM GA GQ TD',
  XPF: 'NC PF WF',
  XCD: 'AG AI DM GD KN LC MS VC',
  XCG: 'CW SX',
  ILS: 'IL PS',
  MAD: 'EH MA',
};

/** The other countries, each with a currency of its own. */
const ownCurrency =
  'AE:AED AF:AFN AL:ALL AM:AMD AO:AOA AR:ARS AW:AWG AZ:AZN BA:BAM BB:BBD BD:BDT BH:BHD BI:BIF ' +
  'BM:BMD BN:BND BO:BOB BR:BRL BS:BSD BT:BTN BW:BWP BY:BYN BZ:BZD CA:CAD CD:CDF CL:CLP CN:CNY ' +
  'CO:COP CR:CRC CU:CUP CV:CVE CZ:CZK DJ:DJF DO:DOP DZ:DZD EG:EGP ER:ERN ET:ETB FJ:FJD FK:FKP ' +
  'GE:GEL GH:GHS GI:GIP GM:GMD GN:GNF GT:GTQ GY:GYD HK:HKD HN:HNL HT:HTG HU:HUF ID:IDR IN:INR ' +
  'IQ:IQD IR:IRR IS:ISK JM:JMD JO:JOD JP:JPY KE:KES KG:KGS KH:KHR KM:KMF KP:KPW KR:KRW KW:KWD ' +
  'KY:KYD KZ:KZT LA:LAK LB:LBP LK:LKR LR:LRD LS:LSL LY:LYD MD:MDL MG:MGA MK:MKD MM:MMK MN:MNT ' +
  'MO:MOP MR:MRU MU:MUR MV:MVR MW:MWK MX:MXN MY:MYR MZ:MZN NA:NAD NG:NGN NI:NIO NP:NPR OM:OMR ' +
  'PA:PAB PE:PEN PG:PGK PH:PHP PK:PKR PL:PLN PY:PYG QA:QAR RO:RON RS:RSD RU:RUB RW:RWF SA:SAR ' +
  'SB:SBD SC:SCR SD:SDG SE:SEK SG:SGD SH:SHP SL:SLE SO:SOS SR:SRD SS:SSP ST:STN SY:SYP SZ:SZL ' +
  'TH:THB TJ:TJS TM:TMT TN:TND TO:TOP TR:TRY TT:TTD TW:TWD TZ:TZS UA:UAH UG:UGX UY:UYU UZ:UZS ' +
  'VE:VES VN:VND VU:VUV WS:WST YE:YER ZA:ZAR ZM:ZMW';

const currencyOfCountry: ReadonlyMap<string, string> = new Map([
  ...Object.entries(countriesByCurrency).flatMap(([currency, countries]) =>
    countries.split(' ').map((country): [string, string] => [country, currency]),
  ),
  ...ownCurrency.split(' ').map((pair): [string, string] => [pair.slice(0, 2), pair.slice(3)]),
]);

/** The currency to suggest for an account in a country; empty where there is none (Antarctica). */
export function suggestedCurrency(country: string): string {
  return currencyOfCountry.get(country) ?? '';
}
