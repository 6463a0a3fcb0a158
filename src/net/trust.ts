import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

interface Loaded {
  /** Changes when the file does. */
  readonly version: string;
  readonly context: SecureContext;
}

/**
 * The certificate authorities that connections trust: those of the process, and those of an extra
 * PEM file. The file may appear, change and vanish while the process runs. One that cannot be used
 * adds nothing until it changes again, since public endpoints do not depend on it.
 * @param file path of the extra file, asked each time; null for none
 * @param onProblem told once for each version of the file that holds no usable certificate
 * @returns gives the TLS context for a new connection
 */
export function createTrust(
  file: () => string | null,
  onProblem: (error: Error) => void = () => {},
): () => Promise<SecureContext> {
  let loaded: Loaded = { version: 'none', context: createSecureContext() };
  return async () => {
    const path = file();
    const version = path === null ? 'none' : await versionOf(path);
    if (version === loaded.version) return loaded.context;
    let context = createSecureContext();
    if (path !== null && version !== 'none') {
      try {
        context = createSecureContext({
          // `ca` replaces the built-in authorities, so they are named again.
          ca: [...getCACertificates('default'), ...(await readCertificates(path))],
        });
      } catch (error) {
        onProblem(new Error(`${path}: no usable certificates`, { cause: error }));
      }
    }
    loaded = { version, context };
    return context;
  };
}

async function versionOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${path} ${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}

/** The certificates of a PEM file. Throws for one that is broken: TLS would leave it out silently. */
async function readCertificates(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (blocks === null) throw new Error('The file holds no certificate.');
  return blocks.map((block) => new X509Certificate(block).toString());
}
