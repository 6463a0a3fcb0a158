import { Prisma, type TaxDocument } from '../../../generated/prisma/client.ts';
import { openContent, sealContent } from '../../crypto/content.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { newId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { documentTypeOf, type DocumentType } from './document.ts';
import type { TaxForm } from './input.ts';

/** A tax document without its content. */
export type StoredDocument = Omit<TaxDocument, 'content' | 'contentKeyCiphertext'>;

const visible = Object.fromEntries(
  Object.entries(Prisma.TaxDocumentScalarFieldEnum).filter(
    ([field]) => field !== 'content' && field !== 'contentKeyCiphertext',
  ),
);
const documentColumns = columns(visible, 'd');

function placeOf(call: Call, id: string, field: 'content' | 'content_key') {
  return { tenantId: call.scope.tenantId, row: id, field };
}

const insertDocument = named(
  'insert_tax_document',
  ['tenant', 'document', 'beneficiary', 'request', 'form', 'type', 'size', 'content', 'key'],
  `
    INSERT INTO tax_document AS d (
      tenant_id, id, beneficiary_id, collection_request_id, form_type, content_type, size_bytes,
      content, content_key_ciphertext
    )
    VALUES (@tenant, @document, @beneficiary, @request, @form, @type, @size, @content, @key)
    RETURNING ${documentColumns}`,
);

export interface NewDocument {
  readonly beneficiaryId: string;
  readonly requestId: string;
  readonly formType: TaxForm;
  readonly file: Uint8Array;
}

/** Stores a checked file, encrypted under a key of its own, and that key under the keyring; gives the id. */
export async function insertTaxDocument(
  client: Queryable,
  call: Call,
  document: NewDocument,
): Promise<string> {
  const { beneficiaryId, requestId, formType, file } = document;
  const id = newId('taxDocument');
  const { content, key } = sealContent(file, placeOf(call, id, 'content'));
  await firstRow<StoredDocument>(
    client,
    insertDocument,
    insertDocument.of({
      tenant: call.scope.tenantId,
      document: id,
      beneficiary: beneficiaryId,
      request: requestId,
      form: formType,
      type: documentTypeOf(file),
      size: file.byteLength,
      content,
      key: call.services.keyring.encrypt(key, placeOf(call, id, 'content_key')),
    }),
  );
  return id;
}

const mostListed = 100;

const documentsOfBeneficiary: Statement = {
  name: 'tax_documents_of_beneficiary',
  text: `
    SELECT l.* FROM unnest($2::text[]) AS g(id) CROSS JOIN LATERAL (
      SELECT ${documentColumns} FROM tax_document d
      WHERE d.tenant_id = $1 AND d.beneficiary_id = g.id
      ORDER BY d.id DESC LIMIT ${mostListed}
    ) l
    ORDER BY l.id`,
};

/** The tax documents of some beneficiaries, of each the latest hundred, oldest first, without their contents. */
export function findTaxDocuments(
  { services, scope }: Call,
  beneficiaryIds: readonly string[],
): Promise<StoredDocument[]> {
  return rows(services.pool, documentsOfBeneficiary, [scope.tenantId, beneficiaryIds]);
}

const documentById: Statement = {
  name: 'tax_document_by_id',
  text: `
    SELECT ${documentColumns} FROM tax_document d
    WHERE d.tenant_id = $1 AND d.beneficiary_id = $2 AND d.id = $3`,
};

/** One document of a beneficiary; null when there is none. */
export function findTaxDocument(
  { services, scope }: Call,
  beneficiaryId: string,
  id: string,
): Promise<StoredDocument | null> {
  return firstRow(services.pool, documentById, [scope.tenantId, beneficiaryId, id]);
}

const contentOfDocument: Statement = {
  name: 'tax_document_content',
  text: `
    SELECT d.content, d.content_key_ciphertext AS key FROM tax_document d
    WHERE d.tenant_id = $1 AND d.id = $2`,
};

/** The decrypted file of a document that exists. Throws when a ciphertext is not its own. */
export async function openDocument(call: Call, id: string): Promise<Buffer> {
  const { services, scope } = call;
  const row = await firstRow<{ content: Buffer; key: Buffer }>(services.pool, contentOfDocument, [
    scope.tenantId,
    id,
  ]);
  // It was there a moment ago, and was erased since.
  if (row === null) throw new DomainError('not_found');
  const key = services.keyring.decrypt(row.key, placeOf(call, id, 'content_key'));
  return openContent(row.content, key, placeOf(call, id, 'content'));
}

const extensions: Readonly<Record<DocumentType, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

/** The name that a document is saved under: nothing of it comes from the payee. */
export function documentFilename({ id, formType, contentType }: StoredDocument): string {
  return `${formType}-${id}.${extensions[contentType as DocumentType]}`; // held by a CHECK constraint
}
