import {
  readBranding,
  updateBranding,
  type Branding,
  type BrandLogo,
} from '../../src/domain/collection/branding.ts';
import { int, of, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { CollectionLanguageEnum } from './language.ts';

const CollectionLogo = builder.objectRef<BrandLogo>('CollectionLogo').implement({
  description: 'The logo that the collection pages and mails show.',
  fields: (t) =>
    shown(t, {
      contentType: t.exposeString('type', {
        description: 'image/png or image/jpeg, by its content.',
      }),
      digest: text('The first 128 bits of the SHA-256 of the file, in hexadecimal.'),
      width: int('Width in pixels.'),
      height: int('Height in pixels.'),
      sizeBytes: int('Size of the file in bytes.'),
      content: t.field({
        type: 'Base64Bytes',
        nullable: true,
        description: 'The file; null where it was taken away in the meantime.',
        resolve: (logo) => logo.open(),
      }),
    }),
});

export const CollectionBranding = builder.objectRef<Branding>('CollectionBranding').implement({
  description:
    'How the collection pages and mails of a tenant look, and whom their readers can ask. What is null has never been set.',
  fields: (t) =>
    shown(t, {
      color: text.orNull('Colour of buttons and links, `#rrggbb` in lower case.'),
      supportContact: text.orNull('E-mail address or https URL where payees can ask.'),
      privacyUrl: text.orNull('https URL of the privacy notice.'),
      language: of.orNull(
        CollectionLanguageEnum,
        'Language of mails to payees whose invite names none and whose country does not tell it.',
      ),
      logo: of.orNull(CollectionLogo, 'The logo.'),
    }),
});

const CollectionBrandingInput = builder.inputType('CollectionBrandingInput', {
  description: 'Fields to be changed. An absent field stays as it is; null clears it.',
  fields: (t) => ({
    color: t.string({
      description:
        'Colour `#rrggbb`. Any can be chosen: where it is too pale or too dark to be read, a shade of it is shown.',
    }),
    supportContact: t.string({
      description: 'E-mail address or https URL where payees can ask, up to 255 characters.',
    }),
    privacyUrl: t.string({
      description: 'https URL of the privacy notice, up to 255 characters.',
    }),
    language: t.field({
      type: CollectionLanguageEnum,
      description:
        'Language of mails to payees whose invite names none and whose country does not tell it.',
    }),
    logo: t.field({
      type: 'Base64Bytes',
      description:
        'PNG or JPEG by its content, up to 128 KiB and 2,048 pixels on each side. About 3 times as wide as high fits best.',
    }),
  }),
});

builder.queryField('collectionBranding', (t) =>
  t.field({
    type: CollectionBranding,
    description:
      'The branding of the collection pages and mails in the environment of the key or session.',
    resolve: (_root, _args, context) => readBranding(context.call),
  }),
);

builder.mutationField('collectionBrandingUpdate', (t) =>
  t.field({
    type: CollectionBranding,
    nullable: true,
    description:
      'Changes the branding in the environment of the key or session; each environment has its own. It shows at once, on links that are out already too. validation_failed names each rejected field; of a logo: file_type_unsupported, file_too_large, invalid_value.',
    args: {
      input: t.arg({
        type: CollectionBrandingInput,
        required: true,
        description: 'The changes.',
      }),
    },
    resolve: (_root, { input }, context) => updateBranding(context.call, input),
  }),
);
