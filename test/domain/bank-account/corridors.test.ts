import { describe, expect, it } from 'vitest';
import { corridorRequirements } from '../../../src/domain/bank-account/corridors.ts';
import { checkBankDetails } from '../../../src/domain/bank-account/validate.ts';
import { countryCodes } from '../../../src/reference/countries.ts';
import { isSepaCountry } from '../../../src/reference/sepa.ts';

describe('corridorRequirements', () => {
  it('says that the US and the SEPA countries can be paid, and no other', () => {
    for (const country of countryCodes) {
      expect(corridorRequirements(country).payoutUsable).toBe(
        country === 'US' || isSepaCountry(country),
      );
    }
  });

  it('asks for a routing code and an account number in the US', () => {
    expect(corridorRequirements('US').options).toEqual([
      {
        validated: true,
        fields: [
          expect.objectContaining({ field: 'routingCode' }),
          expect.objectContaining({ field: 'accountNumber' }),
        ],
      },
    ]);
  });

  it('asks for an IBAN in Germany, with its pattern', () => {
    const [option] = corridorRequirements('DE').options;
    expect(option?.fields).toEqual([
      {
        field: 'iban',
        description: 'IBAN of an account in DE (ISO 13616)',
        pattern: '^DE[0-9]{2}[0-9]{18}$',
      },
    ]);
  });

  it('offers Britain both ways, of which only the IBAN is validated', () => {
    const { options } = corridorRequirements('GB');
    const read = options.map(({ validated, fields }) => [validated, fields.map((f) => f.field)]);
    expect(read).toEqual([
      [true, ['iban']],
      [false, ['routingCode', 'accountNumber']],
    ]);
  });

  it('offers any one identifier elsewhere', () => {
    const { options } = corridorRequirements('JP');
    expect(options.flatMap((option) => option.fields.map(({ field }) => field))).toEqual([
      'iban',
      'accountNumber',
      'clabe',
      'pixKey',
      'swiftBic',
    ]);
  });

  it('describes what the check demands: details that fill an option’s patterns pass as it says', () => {
    const samples = {
      US: [{ routingCode: '021000021', accountNumber: '12345678' }],
      GB: [
        { iban: 'GB29NWBK60161331926819' },
        { routingCode: '200000', accountNumber: '55779911' },
      ],
      VA: [{ iban: 'VA59001123000012345678' }],
    };
    for (const [country, filled] of Object.entries(samples)) {
      const { options } = corridorRequirements(country);
      expect(options).toHaveLength(filled.length);
      for (const [index, identifiers] of filled.entries()) {
        const option = options[index];
        expect(option?.fields.map(({ field }) => field)).toEqual(Object.keys(identifiers));
        const values = Object.values(identifiers);
        for (const [at, rule] of (option?.fields ?? []).entries()) {
          expect(values[at]).toMatch(new RegExp(rule.pattern ?? ''));
        }
        const account = { accountHolderName: 'Ada', currency: 'EUR', country, ...identifiers };
        const { validationStatus } = checkBankDetails(account);
        expect(validationStatus === 'validated').toBe(option?.validated);
      }
    }
  });
});
