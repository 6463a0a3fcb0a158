import { z } from 'zod';
import { country, isoDate, optionalText, phone, postalAddress, text } from '../../values/fields.ts';
import type { bankAccountDetails } from '../bank-account/input.ts';

/** The identity fields that a payee may give itself. */
export const identityInput = z.strictObject({
  firstName: optionalText(),
  lastName: optionalText(),
  countryOfResidence: country.nullish(),
  dateOfBirth: isoDate.nullish(),
  businessName: optionalText(),
  countryOfIncorporation: country.nullish(),
  registrationNumber: optionalText(),
  taxId: optionalText(),
  phone: phone.nullish(),
  postalAddress: postalAddress.nullish(),
});

export const taxForms = ['w9', 'w8ben', 'w8bene', 'other'] as const;
export type TaxForm = (typeof taxForms)[number];

/** A tax document; what its file holds is judged apart (`document.ts`). */
export const taxDocumentInput = z.strictObject({
  taxId: text(),
  formType: z.enum(taxForms),
  file: z.unknown().optional(),
});

/** Every field may be absent or null here: what is needed depends on the request. */
type Loose<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** What comes from the form; an empty text counts as null. */
export interface CollectionInput {
  readonly identity?:
    | (Omit<Loose<z.input<typeof identityInput>>, 'postalAddress'> & {
        readonly postalAddress?: Loose<z.input<typeof postalAddress>> | null | undefined;
      })
    | null
    | undefined;
  readonly bankAccount?: Loose<z.input<typeof bankAccountDetails>> | null | undefined;
  readonly taxDocument?:
    | {
        readonly taxId?: string | null | undefined;
        readonly formType?: TaxForm | null | undefined;
        readonly file?: Uint8Array | null | undefined;
      }
    | null
    | undefined;
}
