import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { enqueueMany } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { isId } from '../../values/ids.ts';
import { findBankFile, reopenFile, reopenFilesLike } from './file-store.ts';

/**
 * Adds the job that reads a file once more, in the transaction of `client`, where the file cannot be read or has
 * a statement of an account that the connection did not have. The other files of the connection that have such statements
 * in its currency are read with it: one answer at the desk stands for all of them. Throws not_found, and conflict where the file is in another state.
 */
export async function readFileAgain(
  client: PoolClient,
  scope: Scope,
  fileId: string,
): Promise<void> {
  const known = isId('bankFile', fileId);
  if (!known || !(await reopenFile(client, scope, fileId))) {
    const file = known ? await findBankFile(client, scope, fileId) : null;
    if (file === null) throw new DomainError('not_found', { message: 'The file does not exist.' });
    const message = `The file is ${file.status}: only one that cannot be read, or that has a statement of another account, is read once more.`;
    throw new DomainError('conflict', { message });
  }
  const files = [fileId, ...(await reopenFilesLike(client, scope, fileId))];
  const payloads = files.map((file) => ({ tenantId: scope.tenantId, fileId: file }));
  const keys = payloads.map((payload) => ({ jobKey: jobKeyOf('read_bank_file', payload) }));
  await enqueueMany(client, 'read_bank_file', payloads, keys);
}
