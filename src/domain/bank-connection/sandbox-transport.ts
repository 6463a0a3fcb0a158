import { join } from 'node:path';
import type { Config } from '../../process/config.ts';
import type { TransportCredentials, TransportSettings } from '../../providers/bank-connection.ts';

/** What is needed to reach a bank. */
export interface OpenTransport {
  readonly settings: TransportSettings;
  readonly credentials: TransportCredentials;
}

/**
 * The way to the sandbox bank, by the settings of the deployment alone: nothing that is stored for a sandbox
 * tenant can lead its files elsewhere. Null where the deployment has no sandbox bank.
 */
export function sandboxTransport(config: Config, connectionId: string): OpenTransport | null {
  const { SANDBOX_BANK_FOLDER: folder, SANDBOX_BANK_SFTP_URL: address } = config;
  if (address !== null) {
    const url = new URL(address);
    const settings = {
      kind: 'sftp',
      host: url.hostname,
      port: url.port === '' ? 22 : Number(url.port),
      username: decodeURIComponent(url.username),
      hostKey: config.SANDBOX_BANK_SFTP_HOST_KEY ?? '',
      outFolder: `${connectionId}/out`,
      inFolder: `${connectionId}/in`,
    } as const;
    return { settings, credentials: { password: config.SANDBOX_BANK_SFTP_PASSWORD ?? '' } };
  }
  if (folder === null) return null;
  return {
    settings: { kind: 'folder', path: join(folder, connectionId), makes: true },
    credentials: {},
  };
}
