import { z } from 'zod';
import {
  country,
  email,
  idempotencyKey,
  isoDate,
  optionalText,
  phone,
  postalAddress,
} from '../../values/fields.ts';
import { deprecatedBankDetails } from '../bank-account/input.ts';
import { ownInputs } from '../../values/own-fields.ts';
import { beneficiaryTypes } from './identity.ts';

const details = {
  phone: phone.nullish(),
  nickname: optionalText(),
  firstName: optionalText(),
  lastName: optionalText(),
  countryOfResidence: country.nullish(),
  dateOfBirth: isoDate.nullish(),
  businessName: optionalText(),
  countryOfIncorporation: country.nullish(),
  registrationNumber: optionalText(),
  taxId: optionalText(),
  postalAddress: postalAddress.nullish(),
  ...ownInputs,
};

const beneficiaryType = z.enum(beneficiaryTypes);

/** The body with which a beneficiary is registered. */
export const beneficiaryCreateInput = z
  .strictObject({
    beneficiaryType,
    email,
    ...details,
    bankDetails: deprecatedBankDetails.nullish(),
    acknowledged: z.boolean().nullish(),
    identityPending: z.boolean().nullish(),
    idempotencyKey: idempotencyKey.nullish(),
  })
  .superRefine((input, ctx) => {
    if (input.acknowledged !== true || input.identityPending !== true) return;
    for (const [field, other] of [
      ['acknowledged', 'identity_pending'],
      ['identityPending', 'acknowledged'],
    ] as const) {
      ctx.addIssue({
        code: 'custom',
        path: [field],
        params: { code: 'mutually_exclusive' },
        message: `Must not be set together with ${other}.`,
      });
    }
  });
export type BeneficiaryCreateInput = z.input<typeof beneficiaryCreateInput>;

/** Any subset of the fields: absent is unchanged, null clears. The type is fixed. */
export const beneficiaryUpdateInput = z.strictObject({
  beneficiaryType: beneficiaryType.nullish(),
  email: email.optional(),
  ...details,
});
export type BeneficiaryUpdateInput = z.input<typeof beneficiaryUpdateInput>;
