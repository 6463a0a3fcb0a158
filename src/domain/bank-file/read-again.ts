import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { isId } from '../../values/ids.ts';
import { findBankFile, reopenFile } from './file-store.ts';

/**
 * Adds the job that reads a file once more, in the transaction of `client`, where the file cannot be read or has
 * a statement of an account that the connection did not have. Throws not_found, and conflict where the file is in another state.
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
  const payload = { tenantId: scope.tenantId, fileId };
  await enqueue(client, 'read_bank_file', payload, {
    jobKey: jobKeyOf('read_bank_file', payload),
  });
}
