import type { ExportFile } from '../../src/domain/export/csv.ts';
import type { Context } from '../context.ts';

/**
 * How the bytes of a CSV leave without passing through GraphQL, and without REST touching the
 * domain: the operation authorises and names the export and leaves it here beside its context; who
 * ran the operation takes it and opens it. Without a run that was allowed there is nothing to take.
 */
const left = new WeakMap<Context, ExportFile>();

/** Leaves an export for whoever runs the operation of this context. */
export function leaveExport(context: Context, file: ExportFile): ExportFile {
  left.set(context, file);
  return file;
}

/** Takes the export that an operation named. Throws when it named none: a fault of the document. */
export function takeExport(context: Context): ExportFile {
  const file = left.get(context);
  if (file === undefined) throw new Error('the operation named no export');
  left.delete(context);
  return file;
}
