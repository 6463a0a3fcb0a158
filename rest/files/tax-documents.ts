import { Router, type RequestHandler } from 'express';
import { takeDocument } from '../../schema/collection/handover.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { documentFile, taxDocumentParams } from '../contracts/collection.ts';
import { createOperation, type RestParts } from '../route/handler.ts';
import type { Operation } from '../route/route.ts';

const downloadTaxDocument: Operation = {
  method: 'get',
  path: '/v1/beneficiaries/:id/tax-documents/:documentId/content',
  operationId: 'downloadTaxDocument',
  summary: 'Download the file of a tax document',
  tag: 'Collection',
  permission: 'read',
  params: taxDocumentParams,
  responses: {
    200: {
      means: 'The file as the payee gave it, for saving and not for showing.',
      body: documentFile,
      headers: ['Content-Disposition'],
    },
  },
  errors: ['not_found'],
  document: `
    query DownloadTaxDocument($beneficiaryId: ID!, $id: ID!) {
      taxDocument(beneficiaryId: $beneficiaryId, id: $id) { content_type: contentType size_bytes: sizeBytes }
    }`,
  variables: ({ params }) => {
    const { id, documentId } = params as { id: string; documentId: string }; // the contract's
    return { beneficiaryId: id, id: documentId };
  },
};

/** Operations whose answer is a document; they are no rows of the route table. */
export const taxDocumentOperations: readonly Operation[] = [downloadTaxDocument];

/**
 * Sends a file that an outsider uploaded: as an attachment, so that no browser shows it, and with
 * `X-Content-Type-Options` as on every answer, so that no browser guesses another type.
 */
function createDownload(operation: Operation, parts: RestParts): RequestHandler {
  const perform = createOperation(operation, parts);
  return async (request, response) => {
    const performed = await perform(request, response);
    if (performed === null) return;
    const file = takeDocument(performed.context);
    if (file === null) throw new DomainError('not_found');
    const { contentType, sizeBytes } = file.document;
    // Read before the status is out: a file that does not open is an error envelope.
    const bytes = request.method === 'HEAD' ? null : await file.open();
    response.status(200).set({
      'Content-Type': contentType,
      'Content-Length': String(sizeBytes),
      'Content-Disposition': `attachment; filename="${file.filename}"`,
    });
    response.end(bytes ?? undefined);
  };
}

/** The downloads of documents. */
export function createTaxDocuments(parts: RestParts): Router {
  const router = Router();
  for (const operation of taxDocumentOperations) {
    router.get(operation.path, createDownload(operation, parts));
  }
  return router;
}
