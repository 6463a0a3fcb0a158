import { createHash, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import ssh2, { type AuthContext, type Client, type Connection } from 'ssh2';
import type { Bank } from './bank.ts';
import { newKeyPair } from './key-pair.ts';
import { serveFiles } from './sftp-session.ts';

export interface SftpServer {
  readonly port: number;
  /** The fingerprint of the host key as OpenSSH prints it, `SHA256:…`. */
  readonly hostKey: string;
  close(): Promise<void>;
}

interface SftpConfig {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Of the one login, `sandbox`. */
  readonly password: string;
  /** Holds the host key. */
  readonly folder: string;
}

/** The one login: the sandbox bank trusts whoever has its password with the folders of all. */
const login = 'sandbox';

/** The host key, made at the first start and kept, so that customers can pin it. */
async function hostKeyIn(folder: string): Promise<string> {
  const file = path.join(folder, 'host_key');
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const pair = newKeyPair('sandbox bank');
  await mkdir(folder, { recursive: true });
  await writeFile(`${file}.new`, pair.private, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return pair.private;
}

function fingerprintOf(privateKey: string): string {
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  const digest = createHash('sha256').update(parsed.getPublicSSH()).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function authenticate(context: AuthContext, password: string): void {
  const isKnown =
    context.method === 'password' &&
    context.username === login &&
    timingSafeEqual(digest(context.password), digest(password));
  if (isKnown) context.accept();
  else context.reject(['password']);
}

/** Serves the customers' folders of the bank over SFTP. Throws when the port is taken. */
export async function startSftp(bank: Bank, config: SftpConfig): Promise<SftpServer> {
  const hostKey = await hostKeyIn(config.folder);
  const clients = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    clients.add(client);
    // Small answers would wait for each other. Its types do not have the method that its clients share.
    (client as Connection & Pick<Client, 'setNoDelay'>).setNoDelay(true);
    client.on('authentication', (context) => authenticate(context, config.password));
    // A client that goes away in the middle is none of the bank's business.
    client.on('error', () => client.end());
    client.on('close', () => clients.delete(client));
    client.on('session', (accept) => {
      accept().on('sftp', (open) => serveFiles(open(), bank, () => client.end()));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    hostKey: fingerprintOf(hostKey),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of clients) client.end();
      }),
  };
}
