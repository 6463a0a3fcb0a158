import { countrySpecs, isSEPACountry } from 'ibantools';
import { describe, expect, it } from 'vitest';
import { countryCodes, isCountry } from '../../src/reference/countries.ts';
import { isSepaCountry, sepaCountries } from '../../src/reference/sepa.ts';

describe('the country list', () => {
  it('holds the 249 codes of ISO 3166-1, each once, in order', () => {
    expect(countryCodes).toHaveLength(249);
    expect(countryCodes).toEqual([...new Set(countryCodes)].toSorted());
  });

  it('agrees with the library and with Intl but for codes that ISO does not assign', () => {
    const library = Object.keys(countrySpecs).filter((code) => !isCountry(code));
    expect(library).toEqual(['XK']);
    expect(countryCodes.filter((code) => countrySpecs[code] === undefined)).toEqual([]);
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    expect(countryCodes.filter((code) => names.of(code) === undefined)).toEqual([]);
  });

  it('refuses reserved codes, lower case and nonsense', () => {
    for (const code of ['XK', 'EU', 'UK', 'ZZ', 'de', '', 'DEU']) {
      expect(isCountry(code)).toBe(false);
    }
  });
});

describe('the SEPA list', () => {
  it('has 41 countries, which all have IBANs', () => {
    expect(new Set(sepaCountries).size).toBe(41);
    for (const country of sepaCountries) {
      expect(isCountry(country)).toBe(true);
      expect(countrySpecs[country]?.IBANRegistry).toBe(true);
    }
  });

  it('is the library’s list with the five members that it lacks, without its territories', () => {
    const missing = sepaCountries.filter((country) => !isSEPACountry(country));
    expect(missing.toSorted()).toEqual(['AL', 'MD', 'ME', 'MK', 'RS']);
    const extra = countryCodes.filter((code) => isSEPACountry(code) && !isSepaCountry(code));
    // Parts of France, Finland, Spain, Portugal and the Crown Dependencies: no scheme countries of their own.
    const territories = 'AX BL GF GG GI GP IM JE MF MQ PM RE YT'.split(' ');
    expect(territories).toEqual(expect.arrayContaining(extra));
  });
});
