import type { ExportFile } from '../../src/domain/export/csv.ts';
import type { StoredFile } from '../../src/domain/export/download.ts';
import type { Context } from '../context.ts';

/*
 * How the bytes of a CSV leave without passing through GraphQL, and without REST touching the
 * domain: the operation authorises and names the file and leaves it here beside its context; who ran
 * the operation takes it and opens it. Without a run that was allowed there is nothing to take.
 */

const left = new WeakMap<Context, ExportFile>();
const stored = new WeakMap<Context, StoredFile>();

/** Leaves a file that is made when it is opened for whoever runs the operation of this context. */
export function leaveExport(context: Context, file: ExportFile): ExportFile {
  left.set(context, file);
  return file;
}

/** Takes the file that an operation named. Throws when it named none: a fault of the document. */
export function takeExport(context: Context): ExportFile {
  const file = left.get(context);
  if (file === undefined) throw new Error('the operation named no export');
  left.delete(context);
  return file;
}

/** Leaves the finished file of an export, if there is one, for whoever runs the operation. */
export function leaveStored(context: Context, file: StoredFile | null): void {
  if (file !== null) stored.set(context, file);
}

/** Takes the finished file that an operation found; null when it is not finished. */
export function takeStored(context: Context): StoredFile | null {
  const file = stored.get(context);
  stored.delete(context);
  return file ?? null;
}
