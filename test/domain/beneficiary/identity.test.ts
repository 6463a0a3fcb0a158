import { describe, expect, it } from 'vitest';
import {
  fieldsOfOtherType,
  identityComplete,
  legalName,
  missingIdentityFields,
  missingLegalNameFields,
  triggerFields,
  triggerFieldsChanged,
} from '../../../src/domain/beneficiary/identity.ts';

const person = {
  beneficiaryType: 'person',
  firstName: 'Ada',
  lastName: 'Lovelace',
  countryOfResidence: 'GB',
  dateOfBirth: '1815-12-10',
} as const;

const business = {
  beneficiaryType: 'business',
  businessName: 'Analytical Engines Ltd',
  countryOfIncorporation: 'GB',
  registrationNumber: '123',
} as const;

describe('required identity', () => {
  it('is complete with every field of the type', () => {
    expect(identityComplete(person)).toBe(true);
    expect(identityComplete(business)).toBe(true);
    expect(identityComplete({ ...person, dateOfBirth: new Uint8Array(4) })).toBe(true);
  });

  it('misses each field that is absent, null or empty', () => {
    for (const facts of [person, business]) {
      for (const field of Object.keys(facts).filter((key) => key !== 'beneficiaryType')) {
        for (const empty of [undefined, null, '']) {
          const partial = { ...facts, [field]: empty };
          expect(missingIdentityFields(partial)).toEqual([field]);
          expect(identityComplete(partial)).toBe(false);
        }
      }
    }
  });

  it('needs the legal name first', () => {
    expect(missingLegalNameFields({ beneficiaryType: 'person', firstName: 'Ada' })).toEqual([
      'lastName',
    ]);
    expect(missingLegalNameFields({ beneficiaryType: 'business' })).toEqual(['businessName']);
    expect(missingLegalNameFields(person)).toEqual([]);
  });
});

describe('fields of the other type', () => {
  it('are named when they hold a value', () => {
    expect(fieldsOfOtherType({ ...person, businessName: 'X', registrationNumber: '1' })).toEqual([
      'businessName',
      'registrationNumber',
    ]);
    expect(fieldsOfOtherType({ ...business, dateOfBirth: '2000-01-01' })).toEqual(['dateOfBirth']);
  });

  it('may be null, as answers show them', () => {
    expect(fieldsOfOtherType({ ...person, businessName: null })).toEqual([]);
    expect(fieldsOfOtherType({ ...business, firstName: null, lastName: undefined })).toEqual([]);
  });
});

describe('legalName', () => {
  it('is the full name or the business name', () => {
    expect(legalName(person)).toBe('Ada Lovelace');
    expect(legalName(business)).toBe('Analytical Engines Ltd');
    expect(legalName({ beneficiaryType: 'person', firstName: 'Ada', lastName: null })).toBe('Ada');
  });
});

describe('trigger fields', () => {
  const address = { line1: '1 St', line2: null, city: 'London', country: 'GB' };
  const stored = { ...person, taxId: 'T1', postalAddress: address };

  it('are each found when changed, set or cleared', () => {
    for (const field of triggerFields) {
      expect(triggerFieldsChanged(stored, { ...stored, [field]: 'other' })).toEqual([field]);
    }
    expect(triggerFieldsChanged(stored, { ...stored, taxId: null })).toEqual(['taxId']);
    expect(triggerFieldsChanged({ ...stored, taxId: null }, stored)).toEqual(['taxId']);
  });

  it('are not changed by a write that repeats them', () => {
    expect(triggerFieldsChanged(stored, { ...stored })).toEqual([]);
    const same = { country: 'GB', city: 'London', line1: '1 St', state: undefined };
    expect(triggerFieldsChanged(stored, { ...stored, postalAddress: same })).toEqual([]);
    expect(triggerFieldsChanged({ taxId: null }, {})).toEqual([]);
  });

  it('see a part of the address', () => {
    const moved = { ...address, line2: 'Flat 2' };
    expect(triggerFieldsChanged(stored, { ...stored, postalAddress: moved })).toEqual([
      'postalAddress',
    ]);
  });

  it('leave out contact and display', () => {
    const after = { ...stored, nickname: 'A', phone: '+44', email: 'a@b.c' };
    expect(triggerFieldsChanged(stored, after)).toEqual([]);
  });
});
