import type { TransportCredentials, TransportSettings } from './bank-connection.ts';
import { folderTransport } from './bank/transport/folder.ts';
import type { BankTransport } from './bank/transport/port.ts';
import { sftpTransport } from './bank/transport/sftp.ts';

/** As its port describes it, for the domain. */
export type Transport = BankTransport;

/**
 * The transport of a connection; whoever asks for it closes it. Null where people carry the files. Nothing is
 * reached before its first method is called.
 */
export function connectTransport({
  settings,
  credentials,
}: {
  readonly settings: TransportSettings;
  readonly credentials: TransportCredentials;
}): BankTransport | null {
  switch (settings.kind) {
    case 'folder':
      return folderTransport(settings);
    case 'sftp':
      return sftpTransport(settings, credentials);
    case 'manual':
      return null;
  }
}
