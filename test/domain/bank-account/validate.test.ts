import { describe, expect, it } from 'vitest';
import type { BankDetails } from '../../../src/domain/bank-account/bank-details.ts';
import { checkBankDetails, payingIdentifier } from '../../../src/domain/bank-account/validate.ts';
import { DomainError } from '../../../src/errors/domain-error.ts';

const holder = { accountHolderName: 'Ada Lovelace', currency: 'EUR' };
const german = { ...holder, country: 'DE' };
const american = { ...holder, country: 'US', currency: 'USD' };
const british = { ...holder, country: 'GB', currency: 'GBP' };
const germanIban = 'DE89370400440532013000';
const britishIban = 'GB29NWBK60161331926819';

function refusal(details: BankDetails): DomainError {
  try {
    checkBankDetails(details);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}

function faults(details: BankDetails): string[] {
  const error = refusal(details);
  expect(error.code).toBe('BANK_ACCOUNT_VALIDATION_FAILED');
  return error.details.map(({ field, code }) => `${field}: ${code}`);
}

describe('a routing identifier', () => {
  it.each([[german], [american], [british], [{ ...holder, country: 'JP' }]])(
    'is needed: %o',
    (details) => {
      expect(refusal(details).code).toBe('BANK_ACCOUNT_MISSING_ROUTING');
      expect(refusal({ ...details, routingCode: '021000021' }).code).toBe(
        'BANK_ACCOUNT_MISSING_ROUTING',
      );
      expect(refusal({ ...details, iban: '  ', accountNumber: '' }).code).toBe(
        'BANK_ACCOUNT_MISSING_ROUTING',
      );
    },
  );
});

describe('US accounts', () => {
  const good = { ...american, routingCode: '021000021', accountNumber: '000123456789' };

  it('are validated by routing code and account number', () => {
    expect(checkBankDetails(good)).toEqual({
      validationStatus: 'validated',
      normalized: good,
      last4: '6789',
    });
  });

  it.each([
    [{ routingCode: '021000022' }, ['routingCode: aba_checksum_failed']],
    [{ routingCode: '02100002' }, ['routingCode: aba_format_invalid']],
    [{ routingCode: '000000000' }, ['routingCode: aba_format_invalid']],
    [{ routingCode: undefined }, ['routingCode: required']],
    [{ accountNumber: '123' }, ['accountNumber: account_number_format_invalid']],
    [{ accountNumber: '123456789012345678' }, ['accountNumber: account_number_format_invalid']],
    [{ iban: germanIban }, ['iban: iban_country_mismatch']],
    [{ swiftBic: 'NOBIC' }, ['swiftBic: bic_format_invalid']],
    [
      { routingCode: '021000022', accountNumber: '1' },
      ['routingCode: aba_checksum_failed', 'accountNumber: account_number_format_invalid'],
    ],
  ])('with %o are refused: %o', (change, expected) => {
    const details: BankDetails = { ...good, ...change };
    expect(faults(details).toSorted()).toEqual(expected.toSorted());
  });

  it('need both numbers even when another identifier is given', () => {
    expect(faults({ ...american, swiftBic: 'CHASUS33' })).toEqual([
      'routingCode: required',
      'accountNumber: required',
    ]);
  });
});

describe('SEPA accounts', () => {
  it('are validated by an IBAN, however it is printed', () => {
    const checked = checkBankDetails({ ...german, iban: ' de89 3704 0044 0532 0130 00 ' });
    expect(checked).toEqual({
      validationStatus: 'validated',
      normalized: { ...german, iban: germanIban },
      last4: '3000',
    });
  });

  it.each([
    [{ iban: 'DE89370400440532013001' }, ['iban: iban_checksum_failed']],
    [{ iban: 'DE8937040044053201300' }, ['iban: iban_format_invalid']],
    [{ iban: britishIban }, ['iban: iban_country_mismatch']],
    [{ accountNumber: '532013000' }, ['iban: required']],
    [{ swiftBic: 'DEUTDEFF' }, ['iban: required']],
    [{ swiftBic: 'DEUTZZFF' }, ['iban: required', 'swiftBic: bic_format_invalid']],
    [{ iban: germanIban, swiftBic: 'DEUT' }, ['swiftBic: bic_format_invalid']],
  ])('with %o are refused: %o', (change, expected) => {
    expect(faults({ ...german, ...change })).toEqual(expected);
  });

  it('take a BIC and a bank name beside the IBAN', () => {
    const details = { ...german, iban: germanIban, swiftBic: 'deutdeff', bankName: ' Bank ' };
    const { normalized } = checkBankDetails(details);
    expect(normalized).toEqual({
      ...german,
      iban: germanIban,
      swiftBic: 'DEUTDEFF',
      bankName: 'Bank',
    });
  });
});

describe('British accounts', () => {
  it('are validated by an IBAN', () => {
    expect(checkBankDetails({ ...british, iban: britishIban }).validationStatus).toBe('validated');
  });

  it('stay unvalidated with a sort code and an account number', () => {
    const details = { ...british, routingCode: '20-00-00', accountNumber: '5577 9911' };
    expect(checkBankDetails(details)).toEqual({
      validationStatus: 'unvalidated',
      normalized: { ...british, routingCode: '200000', accountNumber: '55779911' },
      last4: '9911',
    });
  });

  it('are validated by the IBAN when both are given, and it is the IBAN that pays', () => {
    const details = { iban: britishIban, routingCode: '60-16-13', accountNumber: '31926819' };
    const checked = checkBankDetails({ ...british, ...details });
    expect(checked.validationStatus).toBe('validated');
    expect(payingIdentifier(checked.normalized)).toBe(britishIban);
  });

  it.each([
    [{ accountNumber: '55779911' }, ['routingCode: required']],
    [{ routingCode: '200000', swiftBic: 'BARCGB22' }, ['accountNumber: required']],
    [{ swiftBic: 'BARCGB22' }, ['iban: required']],
    [
      { routingCode: '20000', accountNumber: '55779911' },
      ['routingCode: sort_code_format_invalid'],
    ],
    [
      { routingCode: '200000', accountNumber: '5577991' },
      ['accountNumber: account_number_format_invalid'],
    ],
    [{ iban: germanIban }, ['iban: iban_country_mismatch']],
  ])('with %o are refused: %o', (change, expected) => {
    expect(faults({ ...british, ...change })).toEqual(expected);
  });
});

describe('accounts elsewhere', () => {
  it.each([
    ['JP', { accountNumber: '1234567', routingCode: '0001-234' }, '4567'],
    ['MX', { clabe: '032 180 000118359719' }, '9719'],
    ['BR', { pixKey: '123.456.789-09' }, '8909'],
    ['AE', { iban: 'AE07 0331 2345 6789 0123 456' }, '3456'],
    ['AE', { iban: 'AE00 0331 2345 6789 0123 456' }, '3456'],
    ['IN', { swiftBic: 'HDFCINBB', accountNumber: '50100012345678' }, '5678'],
    ['SG', { swiftBic: 'dbsssgsg' }, 'SGSG'],
  ])('in %s stay unvalidated: %o', (country, identifiers, last4) => {
    const checked = checkBankDetails({ ...holder, country, ...identifiers });
    expect(checked.validationStatus).toBe('unvalidated');
    expect(checked.last4).toBe(last4);
  });

  it.each([
    ['MX', { clabe: '032180000118359718' }, ['clabe: clabe_checksum_failed']],
    ['BR', { pixKey: 'somebody' }, ['pixKey: pix_key_format_invalid']],
    ['SG', { swiftBic: 'DBSS' }, ['swiftBic: bic_format_invalid']],
    ['JP', { accountNumber: '1', clabe: '1' }, ['clabe: clabe_checksum_failed']],
  ])('in %s with a malformed identifier are refused: %o', (country, identifiers, expected) => {
    expect(faults({ ...holder, country, ...identifiers })).toEqual(expected);
  });

  it('never show a whole identifier', () => {
    const jp = { ...holder, country: 'JP' };
    expect(checkBankDetails({ ...jp, accountNumber: '12345' }).last4).toBe('2345');
    expect(checkBankDetails({ ...jp, accountNumber: '1234' }).last4).toBe('234');
    expect(checkBankDetails({ ...jp, accountNumber: '1' }).last4).toBe('');
    expect(checkBankDetails({ ...jp, accountNumber: '12345😀😀' }).last4).toBe('45😀😀');
  });
});

it('never repeats an identifier in an error', () => {
  const secret = '4929123412341';
  const details = { routingCode: secret, accountNumber: `${secret}123456`, iban: secret };
  const rest = { swiftBic: secret, clabe: secret, pixKey: secret };
  const error = refusal({ ...american, ...details, ...rest });
  expect(error.details).toHaveLength(6);
  expect(JSON.stringify([error.message, error.details])).not.toContain(secret);
});

it('checks normalised details to the same result', () => {
  const first = checkBankDetails({ ...german, iban: 'de89 3704 0044 0532 0130 00' });
  expect(checkBankDetails(first.normalized)).toEqual(first);
});
