import { z } from 'zod';
import {
  country,
  email,
  optionalText,
  phone,
  postalAddress,
  text,
  url,
} from '../../values/fields.ts';

/** Input of the register command. */
export const registrationInput = z.strictObject({
  email,
  companyName: text(),
  firstName: optionalText(),
  lastName: optionalText(),
  country: country.nullish(),
});
export type RegistrationInput = z.input<typeof registrationInput>;
export type ParsedRegistration = z.output<typeof registrationInput>;

/** Input of the profile command: absent leaves a field as it is, null clears it. */
export const profileInput = z.strictObject({
  legalName: optionalText(),
  registrationNumber: optionalText(),
  country: country.nullish(),
  address: postalAddress.nullish(),
  website: url.nullish(),
  industry: optionalText(),
  contactPhone: phone.nullish(),
});
export type ProfileInput = z.input<typeof profileInput>;
export type ParsedProfile = z.output<typeof profileInput>;
