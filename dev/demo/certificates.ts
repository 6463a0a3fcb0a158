import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority, issueFor, type Authority, type ServerCertificate } from './x509.ts';

const dayMs = 86_400_000;
const authorityDays = 3_650;
const serverDays = 7;
const renewBeforeMs = 30 * dayMs;
const authorityName = 'Payout demo authority';

const inDays = (days: number): Date => new Date(Date.now() + days * dayMs);

/** A server certificate for `localhost` and its key, made for one run and never stored. */
export function issueServerCertificate(authority: Authority): Promise<ServerCertificate> {
  return issueFor(authority, ['localhost'], inDays(serverDays));
}

/** The stored authority, or null when there is none, when its key does not match or when it expires soon. */
async function readAuthority(certificateFile: string, keyFile: string): Promise<Authority | null> {
  try {
    const certificate = await readFile(certificateFile, 'utf8');
    const key = createPrivateKey(await readFile(keyFile, 'utf8'));
    const parsed = new X509Certificate(certificate);
    const lasts = parsed.validToDate.getTime() - Date.now() > renewBeforeMs;
    return lasts && parsed.checkPrivateKey(key) ? { name: authorityName, certificate, key } : null;
  } catch {
    return null;
  }
}

/** The certificate of the authority that `loadAuthority` keeps in `folder`. */
export const authorityFile = (folder: string): string => join(folder, 'ca.pem');

async function replaceFile(file: string, content: string, mode: number): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, content, { mode });
  await rename(temporary, file);
}

/**
 * The demo's authority in `folder`: `ca.pem`, which the service's worker is told to trust, and
 * `ca.key`, which only its owner may read. It can speak for `localhost` only. It is made on first use
 * and kept, so that a service that keeps running trusts the receiver of the next demo.
 */
export async function loadAuthority(folder: string): Promise<Authority> {
  const certificateFile = authorityFile(folder);
  const keyFile = join(folder, 'ca.key');
  const stored = await readAuthority(certificateFile, keyFile);
  if (stored !== null) return stored;
  const authority = await createAuthority(authorityName, inDays(authorityDays), {
    only: 'localhost',
  });
  await mkdir(folder, { recursive: true });
  const keyText = authority.key.export({ type: 'pkcs8', format: 'pem' }).toString();
  await replaceFile(keyFile, keyText, 0o600);
  await replaceFile(certificateFile, authority.certificate, 0o644);
  return authority;
}
