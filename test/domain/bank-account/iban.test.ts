import fc from 'fast-check';
import { countrySpecs, isValidIBAN } from 'ibantools';
import { describe, expect, it } from 'vitest';
import { electronicIban, ibanFault, ibanPattern } from '../../../src/domain/bank-account/iban.ts';
import { sepaCountries } from '../../../src/reference/sepa.ts';

/** The examples that SWIFT's IBAN registry prints for the SEPA countries. */
const registryExamples = [
  'AD12 0001 2030 2003 5910 0100',
  'AL47 2121 1009 0000 0002 3569 8741',
  'AT61 1904 3002 3457 3201',
  'BE68 5390 0754 7034',
  'BG80 BNBG 9661 1020 3456 78',
  'CH93 0076 2011 6238 5295 7',
  'CY17 0020 0128 0000 0012 0052 7600',
  'CZ65 0800 0000 1920 0014 5399',
  'DE89 3704 0044 0532 0130 00',
  'DK50 0040 0440 1162 43',
  'EE38 2200 2210 2014 5685',
  'ES91 2100 0418 4502 0005 1332',
  'FI21 1234 5600 0007 85',
  'FR14 2004 1010 0505 0001 3M02 606',
  'GB29 NWBK 6016 1331 9268 19',
  'GR16 0110 1250 0000 0001 2300 695',
  'HR12 1001 0051 8630 0016 0',
  'HU42 1177 3016 1111 1018 0000 0000',
  'IE29 AIBK 9311 5212 3456 78',
  'IS14 0159 2600 7654 5510 7303 39',
  'IT60 X054 2811 1010 0000 0123 456',
  'LI21 0881 0000 2324 013A A',
  'LT12 1000 0111 0100 1000',
  'LU28 0019 4006 4475 0000',
  'LV80 BANK 0000 4351 9500 1',
  'MC58 1122 2000 0101 2345 6789 030',
  'MD24 AG00 0225 1000 1310 4168',
  'ME25 5050 0001 2345 6789 51',
  'MK07 2501 2000 0058 984',
  'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
  'NL91 ABNA 0417 1643 00',
  'NO93 8601 1117 947',
  'PL61 1090 1014 0000 0712 1981 2874',
  'PT50 0002 0123 1234 5678 9015 4',
  'RO49 AAAA 1B31 0075 9384 0000',
  'RS35 2600 0560 1001 6113 79',
  'SE45 5000 0000 0583 9825 7466',
  'SI56 1910 0000 0123 438',
  'SK31 1200 0000 1987 4263 7541',
  'SM86 U032 2509 8000 0000 0270 100',
  'VA59 0011 2300 0012 3456 78',
];

/** Remainder by 97 of the rearranged number (ISO 7064), written apart from what is tested. */
function remainder(bban: string, prefix: string): bigint {
  const digits = [...bban, ...prefix].map((c) => Number.parseInt(c, 36).toString()).join('');
  return BigInt(digits) % 97n;
}

function withCheckDigits(country: string, bban: string): string {
  const check = 98n - remainder(bban, `${country}00`);
  return `${country}${check.toString().padStart(2, '0')}${bban}`;
}

/** A valid electronic IBAN of a random SEPA country, made from the country's structure. */
const anyIban = fc.constantFrom(...sepaCountries).chain((country) => {
  const { chars = 0, bban_regexp: structure = '' } = countrySpecs[country] ?? {};
  return fc
    .stringMatching(new RegExp(structure.endsWith('$') ? structure : `${structure}$`))
    .filter((bban) => bban.length === chars - 4)
    .map((bban) => ({ country, iban: withCheckDigits(country, bban) }));
});

describe('the registry’s examples', () => {
  it('are one for each SEPA country', () => {
    expect(registryExamples.map((iban) => iban.slice(0, 2))).toEqual(sepaCountries.toSorted());
  });

  it.each(registryExamples)('%s passes, printed or electronic', (printed) => {
    const iban = electronicIban(printed);
    expect(iban).toBe(printed.replaceAll(' ', ''));
    expect(isValidIBAN(iban)).toBe(true);
    expect(ibanFault(iban, iban.slice(0, 2))).toBeNull();
    expect(iban).toMatch(new RegExp(ibanPattern(iban.slice(0, 2))));
    expect(electronicIban(printed.toLowerCase().replaceAll(' ', '-'))).toBe(iban);
  });
});

describe('generated IBANs', () => {
  it('pass, also where the library would judge the national check digits', () => {
    fc.assert(
      fc.property(anyIban, ({ country, iban }) => {
        expect(ibanFault(iban, country)).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('fail with one character changed to another of its kind: mod-97 finds every one', () => {
    fc.assert(
      fc.property(
        anyIban,
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        ({ country, iban }, at, by) => {
          const index = 2 + (at % (iban.length - 2));
          const old = iban.charAt(index);
          const isDigit = /[0-9]/.test(old);
          const changed = isDigit
            ? String((Number(old) + by) % 10)
            : String.fromCharCode(((old.charCodeAt(0) - 65 + by) % 26) + 65);
          const wrong = iban.slice(0, index) + changed + iban.slice(index + 1);
          expect(isValidIBAN(wrong)).toBe(false);
          expect(ibanFault(wrong, country)?.code).toBe('iban_checksum_failed');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('fail with two different neighbours swapped, but for three pairs that read the same', () => {
    fc.assert(
      fc.property(anyIban, fc.nat(), ({ country, iban }, at) => {
        const index = 4 + (at % (iban.length - 5));
        const [first, second] = [iban.charAt(index), iban.charAt(index + 1)];
        // B1, M2 and X3 are the digits 111, 222 and 333 either way round.
        fc.pre(
          first !== second && !['1B', '2M', '3X'].includes([first, second].toSorted().join('')),
        );
        const wrong = iban.slice(0, index) + second + first + iban.slice(index + 2);
        expect(isValidIBAN(wrong)).toBe(false);
        // A letter swapped with a digit may break the structure before it breaks the sum.
        expect(ibanFault(wrong, country)?.code).toMatch(
          /^iban_(?:checksum_failed|format_invalid)$/,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('fail as malformed when a character is lost or added', () => {
    fc.assert(
      fc.property(anyIban, fc.constantFrom('', '00'), ({ country, iban }, tail) => {
        const wrong = iban.slice(0, -1) + tail;
        expect(ibanFault(wrong, country)?.code).toBe('iban_format_invalid');
      }),
    );
  });

  it('of another country are told so', () => {
    fc.assert(
      fc.property(anyIban, fc.constantFrom(...sepaCountries), ({ country, iban }, named) => {
        fc.pre(country !== named);
        expect(ibanFault(iban, named)?.code).toBe('iban_country_mismatch');
      }),
    );
  });
});

describe('single faults', () => {
  it.each([
    ['DE89370400440532013001', 'DE', 'iban_checksum_failed'],
    ['DE88370400440532013000', 'DE', 'iban_checksum_failed'],
    ['DE8937040044053201300', 'DE', 'iban_format_invalid'],
    ['DE89AA0400440532013000', 'DE', 'iban_format_invalid'],
    ['DEAA370400440532013000', 'DE', 'iban_format_invalid'],
    ['FR1420041010050500013M02606', 'DE', 'iban_country_mismatch'],
    ['XX89370400440532013000', 'DE', 'iban_country_mismatch'],
    ['US89370400440532013000', 'US', 'iban_format_invalid'],
    ['DE', 'DE', 'iban_format_invalid'],
    ['', 'DE', 'iban_format_invalid'],
    ['DE８９370400440532013000', 'DE', 'iban_format_invalid'],
  ])('%s in %s: %s', (iban, country, code) => {
    expect(ibanFault(iban, country)?.code).toBe(code);
  });

  it('refuses check digits outside 02 to 98 although they satisfy the sum', () => {
    // Check digits are unique modulo 97, so 00, 01 and 99 stand for 97, 98 and 02.
    const bbans = Array.from({ length: 400 }, (_, n) => String(n).padStart(18, '0'));
    const twins = bbans.flatMap((bban) => {
      const check = withCheckDigits('DE', bban).slice(2, 4);
      const twin = { '97': '00', '98': '01', '02': '99' }[check];
      return twin === undefined ? [] : [`DE${twin}${bban}`];
    });
    expect(twins.length).toBeGreaterThan(3);
    for (const twin of twins) {
      expect(remainder(twin.slice(4), twin.slice(0, 4))).toBe(1n);
      expect(ibanFault(twin, 'DE')?.code).toBe('iban_checksum_failed');
    }
  });
});
