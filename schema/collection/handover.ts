import type { DocumentFile } from '../../src/domain/collection/tax-document.ts';
import type { Context } from '../context.ts';

/** As for the bytes of an export (`schema/export/handover.ts`): the operation names the file, REST takes it. */
const left = new WeakMap<Context, DocumentFile>();

/** Leaves a document for whoever runs the operation of this context. */
export function leaveDocument(context: Context, file: DocumentFile): void {
  left.set(context, file);
}

/** Takes the document that an operation named; null when it named none. */
export function takeDocument(context: Context): DocumentFile | null {
  const file = left.get(context) ?? null;
  left.delete(context);
  return file;
}
