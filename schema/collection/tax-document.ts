import type { StoredDocument } from '../../src/domain/collection/tax-document-store.ts';
import { readTaxDocument } from '../../src/domain/collection/tax-document.ts';
import { Beneficiary } from '../beneficiary/type.ts';
import { id, int, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { TaxFormEnum } from './form-input.ts';
import { leaveDocument } from './handover.ts';
import { taxDocumentsOf } from './loaders.ts';

const TaxDocument = builder.objectRef<StoredDocument>('TaxDocument').implement({
  description:
    'A tax document that a payee gave. Its file comes from GET /v1/beneficiaries/{id}/tax-documents/{documentId}/content.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the document.'),
      beneficiaryId: id('Who gave it.'),
      collectionRequestId: id('The collection request that it answers, a UUID.'),
      formType: stored(TaxFormEnum, 'Which form it is, as the payee said.'),
      contentType: text(
        'application/pdf, image/png or image/jpeg, by the first bytes of the file. The rest of the file is not examined.',
      ),
      sizeBytes: int('Size of the file in bytes.'),
      createdAt: time('When it was given.'),
    }),
});

builder.prismaObjectFields(Beneficiary, (t) => ({
  taxDocuments: t.field({
    type: [TaxDocument],
    description: 'Tax documents that the beneficiary uploaded, oldest first.',
    resolve: (row, _args, context) => taxDocumentsOf(context, row.id),
  }),
}));

builder.queryField('taxDocument', (t) =>
  t.field({
    type: TaxDocument,
    nullable: true,
    description: 'One tax document of a beneficiary; null for an unknown id.',
    args: {
      beneficiaryId: t.arg.id({ required: true, description: 'Who gave it.' }),
      id: t.arg.id({ required: true, description: 'The document.' }),
    },
    resolve: async (_root, { beneficiaryId, id }, context) => {
      const file = await readTaxDocument(context.call, beneficiaryId, id);
      if (file === null) return null;
      leaveDocument(context, file);
      return file.document;
    },
  }),
);
