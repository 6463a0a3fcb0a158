import { z } from 'zod';
import { languageCodes } from '../../reference/languages.ts';
import { email, optionalText } from '../../values/fields.ts';
import { beneficiaryTypes } from '../beneficiary/identity.ts';
import { collectionScopes } from './request.ts';

const fields = {
  beneficiaryId: optionalText(),
  email: email.nullish(),
  beneficiaryType: z.enum(beneficiaryTypes).nullish(),
  firstName: optionalText(),
  lastName: optionalText(),
  businessName: optionalText(),
  nickname: optionalText(),
  scope: z.enum(collectionScopes).nullish(),
  language: z.enum(languageCodes).nullish(),
};

/** The fields that describe who is to be registered, and so have no place beside an id. */
const ofNewcomers = [
  'email',
  'beneficiaryType',
  'firstName',
  'lastName',
  'businessName',
  'nickname',
] as const;

function issue(ctx: z.RefinementCtx, field: string, code: string, message: string): void {
  ctx.addIssue({ code: 'custom', path: [field], params: { code }, message });
}

/** One invite: of a beneficiary by its id, or of whoever has an e-mail address. */
export const inviteInput = z.strictObject(fields).superRefine((input, ctx) => {
  const given = ofNewcomers.filter((field) => (input[field] ?? null) !== null);
  if ((input.beneficiaryId ?? null) !== null) {
    for (const field of given) {
      issue(ctx, field, 'mutually_exclusive', 'Must not be set together with beneficiary_id.');
    }
  } else if ((input.email ?? null) === null) {
    issue(ctx, 'email', 'required', 'Either email or beneficiary_id is required.');
  } else if ((input.beneficiaryType ?? null) === null) {
    issue(ctx, 'beneficiaryType', 'required', 'This field is required.');
  }
});
export type InviteInput = z.input<typeof inviteInput>;
