import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jobScope } from '../access/system.ts';
import { openConnection, openTransport } from '../domain/bank-connection/open.ts';
import { findConnection } from '../domain/bank-connection/store.ts';
import { fine, lacking, type CheckLine } from '../domain/provider-connection/check-line.ts';
import { checkProvider } from '../domain/provider-connection/check.ts';
import { findProviderConnections } from '../domain/provider-connection/store.ts';
import { firstRow, platformStatement } from '../db/pool.ts';
import { loadConfig } from '../process/config.ts';
import { withDatabase } from '../process/command.ts';
import { closeServices, createServices, type Services } from '../process/services.ts';
import { ProviderError } from '../providers/port.ts';
import type { FolderSettings, SftpSettings } from '../providers/bank-connection.ts';
import { connectTransport } from '../providers/bank-transport.ts';
import type { BankTransport } from '../providers/bank/transport/port.ts';
import { batchWindow } from '../values/bank-days/cut-off.ts';
import { isId, newId } from '../values/ids.ts';
import type { Arguments } from './arguments.ts';
import { UsageError } from './statement.ts';

/** The one command that needs the settings of the service itself: it opens credentials, and reaches a bank. */
export const checkConnectionCommand = 'check-connection';

const usage = `Usage: npm run ops -- ${checkConnectionCommand} <connection>
  Proves a connection to a provider: that its credentials open the account, and that its events reach the service and
  are signed. Or one to a bank: that its credentials open the bank's server, that the folders are there and can be
  written, and that a file of each scheme can be made. It runs with the settings of the worker. A file that is
  tried is empty, has a temporary name that no bank takes, and is removed. The exit status is 1 where something
  is missing.`;

const tenantOfConnection = platformStatement({
  name: 'tenant_of_bank_connection',
  text: 'SELECT c.tenant_id AS "tenantId" FROM across.bank_connection c WHERE c.id = $1',
});

const reasonOf = (error: unknown): string => {
  if (error instanceof ProviderError) {
    const { cause } = error;
    return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
  }
  if (error instanceof Error) return error.message;
  return String(error);
};

/** Where the files are, as people would look for them. */
const placesOf = (settings: FolderSettings | SftpSettings) =>
  settings.kind === 'folder'
    ? { incoming: join(settings.path, 'in'), outgoing: join(settings.path, 'out') }
    : { incoming: settings.inFolder, outgoing: settings.outFolder };

/** Looks into both folders and writes, finds and removes an empty file that no bank takes. */
async function* checkFolders(
  transport: BankTransport,
  { incoming, outgoing }: ReturnType<typeof placesOf>,
): AsyncGenerator<CheckLine> {
  const trial = `check-${newId('request')}.part`;
  let before = '';
  try {
    const files = await transport.list();
    yield fine(
      `The folder of files from the bank, ${incoming}, can be read. It has ${files.length} files.`,
    );
  } catch (error) {
    before = reasonOf(error);
    yield lacking(`The folder of files from the bank, ${incoming}, cannot be read: ${before}`);
  }
  try {
    await transport.stage(trial, new Uint8Array());
    const found = await transport.find(trial);
    await transport.discard(trial);
    yield found === null
      ? lacking(
          `A file that was written to ${outgoing}, the folder for the bank, is not found there.`,
        )
      : fine(`The folder of files to the bank, ${outgoing}, can be written and read.`);
  } catch (error) {
    const reason = reasonOf(error);
    // A server that lets nobody in is missing once.
    if (reason !== before)
      yield lacking(`The folder of files to the bank, ${outgoing}, cannot be written: ${reason}`);
  }
}

/** Proves one connection, line by line. */
async function* checkConnection(
  services: Services,
  connectionId: string,
): AsyncGenerator<CheckLine> {
  const place = isId('bankConnection', connectionId)
    ? await firstRow<{ tenantId: string }>(services.pool, tenantOfConnection, [connectionId])
    : null;
  if (place === null) {
    yield lacking(
      'There is no such connection. ops.bank_connections and ops.provider_connections list them.',
    );
    return;
  }
  const actor = { type: 'system', name: checkConnectionCommand } as const;
  const scope = await jobScope(services.pool, place.tenantId, actor);
  const call = { scope, services };
  const [called] = await findProviderConnections(services.pool, scope, [connectionId]);
  if (called !== undefined) {
    yield* checkProvider(call, called);
    return;
  }
  const row = await findConnection(services.pool, scope, connectionId);
  if (row === null) throw new Error(`${connectionId} is gone`);
  const facts = openConnection(call, row);
  yield row.status === 'active'
    ? fine(`${row.name} (${scope.environment}) is active.`)
    : lacking(`${row.name} (${scope.environment}) is ${row.status}: no file leaves.`);
  const { closesAt, executionDate } = batchWindow(facts.cutOff, new Date());
  yield fine(
    `The next file closes at ${closesAt.toISOString()} and is to be executed on ${executionDate}.`,
  );
  for (const scheme of facts.schemes) {
    const faults = await services.providers.fileFaults(facts, scheme);
    yield faults.length === 0
      ? fine(`A file of ${scheme} can be made.`)
      : lacking(
          `No file of ${scheme} can be made. ${faults.map(({ field, message }) => `${field}: ${message}`).join(' ')}`,
        );
  }
  const way = openTransport(call, row);
  if (way === null) {
    yield lacking(
      scope.environment === 'sandbox'
        ? 'The service has no sandbox bank: neither SANDBOX_BANK_FOLDER nor SANDBOX_BANK_SFTP_URL is set.'
        : 'The setting BANK_FOLDERS is not set, so the connection has no folder.',
    );
    return;
  }
  const { settings } = way;
  const transport = connectTransport(way);
  if (transport === null || settings.kind === 'manual') {
    yield fine('Files are carried by hand: there is no server to reach.');
    return;
  }
  try {
    yield* checkFolders(transport, placesOf(settings));
  } finally {
    // A server that does not answer must not keep the answer from the reader.
    await Promise.race([transport.close(), pause(5_000, undefined, { ref: false })]);
  }
}

/**
 * Writes to `out` what holds and what does not, a line for each.
 *
 * @throws UsageError without exactly one connection, and ConfigError for wrong settings
 */
export async function printConnection(
  given: Arguments,
  out: NodeJS.WritableStream,
): Promise<boolean> {
  const [connectionId, ...others] = given.positional;
  if (given.help) {
    out.write(`${usage}\n`);
    return true;
  }
  if (connectionId === undefined || others.length > 0 || given.named.size > 0) {
    throw new UsageError(`${checkConnectionCommand} takes one connection\n${usage}`);
  }
  const services = createServices(await withDatabase(loadConfig()), 'worker');
  let whole = true;
  try {
    for await (const { holds, text } of checkConnection(services, connectionId)) {
      out.write(`${holds ? 'ok     ' : 'MISSING'} ${text}\n`);
      whole &&= holds;
    }
  } finally {
    await closeServices(services);
  }
  return whole;
}
