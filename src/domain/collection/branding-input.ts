import { z } from 'zod';
import { languageCodes } from '../../reference/languages.ts';
import { brandColor, httpsUrl, supportContact } from '../../values/fields.ts';

/** Input of the branding command: absent leaves a field as it is, null clears it. The logo is judged apart. */
export const brandingInput = z.strictObject({
  color: brandColor.nullish(),
  supportContact: supportContact.nullish(),
  privacyUrl: httpsUrl.nullish(),
  language: z.enum(languageCodes).nullish(),
});

export type BrandingInput = z.input<typeof brandingInput> & {
  readonly logo?: Uint8Array | null | undefined;
};
