import { emailDomain } from '../../values/fields.ts';
import type { Fault } from './bank-details.ts';

/*
 * The five kinds of PIX key (Banco Central do Brasil, DICT): CPF, CNPJ, phone, e-mail, random key.
 * Since July 2026 new CNPJs may hold letters in their first twelve places.
 */
const cpf = /^[0-9]{11}$/;
const cnpj = /^[0-9A-Z]{12}[0-9]{2}$/;
const phone = /^\+[1-9][0-9]{9,14}$/;
const randomKey = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const email = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9.-]+$/;

const punctuatedCpf = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}$/;
const punctuatedCnpj = /^[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-[0-9]{2}$/;

/** A PIX key as the directory stores it: without the punctuation of print, e-mail in lower case. */
export function compactPixKey(value: string): string {
  const key = value.trim();
  if (key.includes('@')) return key.toLowerCase();
  if (key.startsWith('+')) return key.replaceAll(/[\s()-]/g, '');
  if (randomKey.test(key.toLowerCase())) return key.toLowerCase();
  const upper = key.toUpperCase();
  const printed = punctuatedCpf.test(upper) || punctuatedCnpj.test(upper);
  return printed ? upper.replaceAll(/[./-]/g, '') : upper;
}

/** Checks that a key has the format of one of the five kinds. Whether it is registered only the directory knows. */
export function pixKeyFault(key: string): Fault | null {
  const known = [cpf, cnpj, phone, randomKey].some((kind) => kind.test(key)) || isEmailKey(key);
  return known
    ? null
    : {
        code: 'pix_key_format_invalid',
        message: 'Must be a CPF, CNPJ, phone number in E.164, e-mail address or random key.',
      };
}

/** The directory takes e-mail addresses of at most 77 characters. */
function isEmailKey(key: string): boolean {
  return key.length <= 77 && email.test(key) && emailDomain(key) !== null;
}
