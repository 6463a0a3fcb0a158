import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { userInfo } from 'node:os';
import { jobScope } from '../access/system.ts';
import { namedOfPlatform } from '../db/named.ts';
import { firstRow } from '../db/pool.ts';
import { storeBankFile, type Stored } from '../domain/bank-file/content.ts';
import { requireRing } from '../domain/encryption/ring.ts';
import { holdOf } from '../domain/operator/take-bank-file.ts';
import { withDatabase } from '../process/command.ts';
import { loadConfig } from '../process/config.ts';
import { closeServices, createServices } from '../process/services.ts';
import type { Arguments } from './arguments.ts';
import { UsageError } from './statement.ts';

/** The one command that stores something with the settings of the service. */
export const takeBankFileCommand = 'take-bank-file';

const usage = `Usage: npm run ops -- ${takeBankFileCommand} <connection> <file>
  Takes a file that a bank put out for a connection (bcn_…), of any size. It is stored encrypted, once by its
  bytes, and the worker reads it; in production,
  where OPERATOR_CONFIRMATION asks for a second operator, once they have confirmed it. The command needs the settings of the service: DATABASE_URL and the keyring.`;

const tenantOfConnection = namedOfPlatform(
  'tenant_of_bank_connection',
  ['connection'],
  `
    SELECT c.tenant_id AS "tenantId" FROM across.bank_connection c WHERE c.id = @connection`,
);

function wordsOf({ news, waits }: Stored): string {
  const next = waits ? 'a second operator has to confirm it (operatorChangeAnswer)' : null;
  if (!news)
    return ['the connection had it before', next].filter((part) => part !== null).join('; ');
  return `stored; ${next ?? 'the worker reads it'}`;
}

/**
 * Stores a file of a bank and prints its id.
 *
 * @throws UsageError without a connection that exists and a file, and the errors of the file system
 */
export async function takeBankFile(given: Arguments, out: NodeJS.WritableStream): Promise<void> {
  const [connectionId, path, ...others] = given.positional;
  if (given.help) {
    out.write(`${usage}\n`);
    return;
  }
  if (connectionId === undefined || path === undefined || others.length > 0) {
    throw new UsageError(`${takeBankFileCommand} takes a connection and a file\n${usage}`);
  }
  // Opened before anything else, so that a file that is not there is named and nothing is stored.
  const file = await open(path);
  const services = createServices(await withDatabase(loadConfig()), 'worker');
  try {
    await requireRing(services);
    const values = tenantOfConnection.of({ connection: connectionId });
    const found = await firstRow<{ tenantId: string }>(services.pool, tenantOfConnection, values);
    if (found === null) throw new UsageError(`There is no bank connection ${connectionId}.`);
    const scope = await jobScope(services.pool, found.tenantId, {
      type: 'system',
      name: 'bank files',
    });
    const call = { scope, services };
    const takenBy = userInfo().username;
    const stored = await storeBankFile(call, {
      connectionId,
      name: basename(path),
      takenBy,
      bytes: file.createReadStream(),
      hold: holdOf(call, { who: takenBy, reason: `npm run ops -- ${takeBankFileCommand}` }),
    });
    const words = wordsOf(stored);
    out.write(`${stored.fileId}: ${words}\n`);
  } finally {
    await closeServices(services);
    await file.close();
  }
}
