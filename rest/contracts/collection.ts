import { z } from 'zod';
import { languageCodes } from '../../src/reference/languages.ts';
import { email, optionalText } from '../../src/values/fields.ts';
import {
  beneficiaryType,
  documentedAs,
  id,
  mostRows,
  pathId,
  rowError,
  timestamp,
} from './common.ts';
import { schemaEnum } from './schema-enum.ts';

/** The media types that a tax document may have. */
export const documentTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;

const scope = schemaEnum('CollectionScope');

/** What a row of a bulk invite has; all are optional here, so that the domain says what is missing. */
const row = {
  email: email.nullish().meta({
    description: 'Address of an active beneficiary of this type, or of one to be registered.',
  }),
  beneficiary_type: beneficiaryType.nullish().meta({ description: 'Needed with email.' }),
  first_name: optionalText(),
  last_name: optionalText(),
  business_name: optionalText(),
  nickname: optionalText(),
  scope: scope.nullish().meta({ description: 'What is asked for; full_onboarding by default.' }),
  language: z.enum(languageCodes).nullish().meta({
    description:
      'Language of the mail and the form. By default that of the country of the beneficiary, else of the branding, else English.',
  }),
};

export const bulkInviteRow = z.strictObject(row).meta({ id: 'BulkInviteRow', unusedIO: 'input' });

export const invite = z
  .strictObject({
    beneficiary_id: optionalText().meta({
      description: 'An active beneficiary. Then only scope and language may be given with it.',
    }),
    ...row,
  })
  .meta({ id: 'CollectionInvite', unusedIO: 'input' });

/**
 * The domain checks the rows one by one, since a malformed row fails alone, and counts them. The
 * document shows what a row should be, and the usual maximum.
 */
function rowsOf(component: string, maximum: number, description: string) {
  return z
    .array(z.unknown())
    .max(mostRows)
    .meta({
      description,
      override: documentedAs({
        type: 'array',
        minItems: 1,
        maxItems: maximum,
        items: { $ref: `#/components/schemas/${component}` },
      }),
    });
}

export const invitesBody = z
  .strictObject({
    invites: rowsOf(
      'CollectionInvite',
      100,
      '1 to 100 invites, each with beneficiary_id or with email and beneficiary_type. A newcomer needs its legal name.',
    ),
  })
  .meta({ id: 'CollectionInvites' });

export const bulkInvitesBody = z
  .strictObject({
    rows: rowsOf('BulkInviteRow', 1_000, '1 to 1,000 rows with email and beneficiary_type.'),
  })
  .meta({ id: 'BulkInvites' });

/** The body of a bulk invite as a file. */
export const inviteCsv = z.string().meta({
  description:
    'RFC 4180 in UTF-8: a header row of email, beneficiary_type, first_name, last_name, business_name, nickname, scope and language, of which the first two are needed, in any order; then 1 to 1,000 rows.',
});

export const invitesAnswer = z
  .object({
    results: z.array(
      z.object({
        index: z
          .int()
          .meta({ description: 'Position of the row, from 0; a header is not counted.' }),
        status: schemaEnum('CollectionInviteStatus'),
        beneficiary_id: z.string().nullable(),
        collection_request: z.object({ id, scope, expires_at: timestamp }).nullable(),
        error: rowError.nullable(),
      }),
    ),
    summary: z.object({ total: z.int(), invited: z.int(), failed: z.int() }),
  })
  .meta({ id: 'CollectionInviteResult' });

export const collectionRequestParams = z.strictObject({
  id: pathId('beneficiary'),
  requestId: pathId('collection request'),
});

const taxDocument = z
  .object({
    id,
    collection_request_id: z.string(),
    form_type: schemaEnum('TaxForm'),
    content_type: z.enum(documentTypes).meta({ description: 'By the first bytes of the file.' }),
    size_bytes: z.int(),
    created_at: timestamp,
  })
  .meta({ id: 'TaxDocument' });

export const taxDocumentList = z.object({ tax_documents: z.array(taxDocument) });

export const taxDocumentParams = z.strictObject({
  id: pathId('beneficiary'),
  documentId: pathId('tax document'),
});

/** The file of a tax document, as the payee gave it. */
export const documentFile = z
  .string()
  .meta({ description: 'The bytes of the file.', override: { type: 'string', format: 'binary' } });
