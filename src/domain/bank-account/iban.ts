import { countrySpecs, validateIBAN, ValidationErrorsIBAN } from 'ibantools';
import type { Fault } from './bank-details.ts';

/** An IBAN as machines exchange it (ISO 13616): upper case, without the spaces of the printed form. */
export function electronicIban(value: string): string {
  return value.replaceAll(/[\s-]/g, '').toUpperCase();
}

const shape = /^([A-Z]{2})([0-9]{2})[A-Z0-9]{1,30}$/;

/**
 * Checks an electronic IBAN of the named country: the country's length and structure, and mod-97
 * (ISO 13616, ISO 7064). One fault is told, the most telling: a wrong country before a wrong
 * structure before a wrong checksum, because a number of the wrong length also fails the sum.
 *
 * National check digits inside the account part are not checked: banks of several countries have issued
 * accounts that break the national rule.
 */
export function ibanFault(iban: string, country: string): Fault | null {
  const parts = shape.exec(iban);
  if (parts === null) return formatFault;
  if (parts[1] !== country) {
    return {
      code: 'iban_country_mismatch',
      message: `The IBAN does not belong to the named country ${country}.`,
    };
  }
  const errors = new Set(validateIBAN(iban).errorCodes);
  if (structureErrors.some((error) => errors.has(error))) return formatFault;
  // ISO 13616 gives check digits from 02 to 98; 00, 01 and 99 can satisfy the sum too.
  const digits = Number(parts[2]);
  if (errors.has(ValidationErrorsIBAN.WrongIBANChecksum) || digits < 2 || digits > 98) {
    return { code: 'iban_checksum_failed', message: 'The check digits of the IBAN do not match.' };
  }
  return null;
}

const formatFault: Fault = {
  code: 'iban_format_invalid',
  message: "The IBAN does not have the country's length and structure.",
};

const structureErrors = [
  ValidationErrorsIBAN.NoIBANProvided,
  ValidationErrorsIBAN.NoIBANCountry,
  ValidationErrorsIBAN.WrongBBANLength,
  ValidationErrorsIBAN.WrongBBANFormat,
  ValidationErrorsIBAN.ChecksumNotNumber,
];

/** The pattern of a country's electronic IBANs, from the same registry data that validates them. */
export function ibanPattern(country: string): string {
  const bban = countrySpecs[country]?.bban_regexp;
  if (bban === undefined) throw new RangeError(`no IBAN structure is known for ${country}`);
  return `^${country}[0-9]{2}${bban.replace(/^\^/, '').replace(/\$$/, '')}$`;
}
