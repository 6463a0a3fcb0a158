import type { BankConnection } from '../../../generated/prisma/client.ts';
import type { Call } from '../../process/services.ts';
import { folderTransport } from '../../providers/bank/transport/folder.ts';
import type { BankTransport } from '../../providers/bank/transport/port.ts';
import { sftpTransport } from '../../providers/bank/transport/sftp.ts';
import { openTransport } from '../bank-connection/open.ts';

/** The way to a connection's folders; null where people carry its files, or a setting of the deployment is missing. */
export function transportOf(call: Call, connection: BankConnection): BankTransport | null {
  const way = openTransport(call, connection);
  switch (way?.settings.kind) {
    case 'folder':
      return folderTransport(way.settings);
    case 'sftp':
      return sftpTransport(way.settings, way.credentials);
    case 'manual':
    case undefined:
      return null;
  }
}
