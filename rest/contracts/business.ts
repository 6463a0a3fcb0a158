import { z } from 'zod';
import {
  brandColor,
  country,
  email,
  httpsUrl,
  optionalText,
  phone,
  postalAddressWire,
  supportContact,
  text,
  url,
} from '../../src/values/fields.ts';
import { languageCodes } from '../../src/reference/languages.ts';
import { addressView, environment, id, timestamp } from './common.ts';
import { schemaEnum } from './schema-enum.ts';

const role = schemaEnum('Role');
const profileStatus = schemaEnum('ProfileStatus');

export const registrationBody = z
  .strictObject({
    email,
    company_name: text(),
    first_name: optionalText(),
    last_name: optionalText(),
    country: country.nullish(),
  })
  .meta({ id: 'RegistrationCreate' });

/** Answer to a registration. */
export const registration = z
  .object({
    business: z.object({
      id,
      company_name: z.string(),
      email_domain: z
        .string()
        .nullable()
        .meta({ description: 'Corporate domain that was claimed; null for free mail.' }),
      profile_status: profileStatus,
      created_at: timestamp,
    }),
    user: z.object({
      id,
      email: z.string(),
      first_name: z.string().nullable(),
      last_name: z.string().nullable(),
      created_at: timestamp,
    }),
    membership: z.object({
      id,
      business_id: z.string(),
      user_id: z.string(),
      role,
      created_at: timestamp,
    }),
    api_key: z.object({
      id,
      environment,
      role,
      key: z.string().meta({ description: 'The API key. It is shown only here.' }),
    }),
  })
  .meta({ id: 'Registration' });

export const businessProfileEnvelope = z.object({
  business_profile: z
    .object({
      legal_name: z.string().nullable(),
      registration_number: z.string().nullable(),
      country: z.string().nullable(),
      address: addressView.nullable(),
      website: z.string().nullable(),
      industry: z.string().nullable(),
      contact_phone: z.string().nullable(),
      profile_status: profileStatus,
      profile_submitted_at: timestamp.nullable(),
      distinct_approver: z.boolean().meta({
        description: 'Whether a payout must be approved by another person than its creator.',
      }),
    })
    .meta({ id: 'BusinessProfile' }),
});

/** Fields to be changed: an absent one stays as it is, null clears it. */
export const businessProfileBody = z
  .strictObject({
    legal_name: optionalText(),
    registration_number: optionalText(),
    country: country.nullish(),
    address: postalAddressWire.nullish(),
    website: url.nullish(),
    industry: optionalText(),
    contact_phone: phone.nullish(),
  })
  .meta({ id: 'BusinessProfileUpdate' });

const brandLanguage = z.enum(languageCodes).meta({
  description:
    'Language of mails to payees whose invite names none and whose country does not tell it.',
});

export const collectionBrandingEnvelope = z.object({
  collection_branding: z
    .object({
      color: z.string().nullable().meta({ description: 'Colour of buttons and links, `#rrggbb`.' }),
      support_contact: z
        .string()
        .nullable()
        .meta({ description: 'E-mail address or https URL where payees can ask.' }),
      privacy_url: z.string().nullable().meta({ description: 'https URL of the privacy notice.' }),
      language: brandLanguage.nullable(),
      logo: z
        .object({
          content_type: z.string().meta({ description: 'image/png or image/jpeg.' }),
          digest: z
            .string()
            .meta({ description: 'The first 128 bits of the SHA-256 of the file.' }),
          width: z.int().meta({ description: 'Pixels.' }),
          height: z.int().meta({ description: 'Pixels.' }),
          size_bytes: z.int(),
        })
        .nullable(),
    })
    .meta({ id: 'CollectionBranding' }),
});

/** Fields to be changed: an absent one stays as it is, null clears it. */
export const collectionBrandingBody = z
  .strictObject({
    color: brandColor.nullish(),
    support_contact: supportContact.nullish(),
    privacy_url: httpsUrl.nullish(),
    language: brandLanguage.nullish(),
    logo: z.base64().nullish().meta({
      description:
        'PNG or JPEG in base64 (RFC 4648, section 4), up to 128 KiB and 2,048 pixels on each side.',
    }),
  })
  .meta({ id: 'CollectionBrandingUpdate' });
