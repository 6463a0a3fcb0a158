import { requirePermission } from '../../access/scope.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import {
  documentFilename,
  findTaxDocument,
  openDocument,
  type StoredDocument,
} from './tax-document-store.ts';

/** A tax document that the caller may have. */
export interface DocumentFile {
  readonly document: StoredDocument;
  /** The name that it is saved under. */
  readonly filename: string;
  /** Reads and decrypts the whole file. */
  open(): Promise<Buffer>;
}

/** One tax document of a beneficiary; null for an unknown or malformed id. Throws forbidden. */
export async function readTaxDocument(
  call: Call,
  beneficiaryId: string,
  id: string,
): Promise<DocumentFile | null> {
  requirePermission(call.scope, 'read');
  if (!isId('beneficiary', beneficiaryId) || !isId('taxDocument', id)) return null;
  const document = await findTaxDocument(call, beneficiaryId, id);
  if (document === null) return null;
  const filename = documentFilename(document);
  return { document, filename, open: () => openDocument(call, id) };
}
