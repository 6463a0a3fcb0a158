import { ProviderError } from '../../port.ts';

/** What a failed call means: `retry` where it certainly changed nothing that counts. */
type TransportVerdict = 'retry' | 'unknown';

/** What the codes say that a missing folder or a missing right has, of SFTP and of file systems. */
const words: Readonly<Record<string, string>> = {
  '2': 'there is no such file or folder',
  '3': 'the right to do it is missing',
  ENOENT: 'there is no such file or folder',
  EACCES: 'the right to do it is missing',
  ELOOP: 'a part of the path below BANK_FOLDERS is a link',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** A code such as ENOSPC or a status of SFTP; the text of an error may name hosts, logins and paths. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code, level } = error as Error & { code?: unknown; level?: unknown };
  const parts = [level, code].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  );
  if (parts.length === 0) return error.name;
  const meaning = words[String(code)];
  return meaning === undefined ? parts.join(' ') : `${parts.join(' ')}: ${meaning}`;
}

/** An error of a transport as a ProviderError without secrets, hosts or paths. */
export function transportError(
  error: unknown,
  doing: string,
  verdict: TransportVerdict,
): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError(verdict, 'other', `${doing} failed (${codeOf(error)}).`);
}

/** Runs a step of a transport; its errors become ProviderErrors. */
export async function step<T>(
  doing: string,
  verdict: TransportVerdict,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError) throw error;
    throw transportError(error, doing, verdict);
  }
}
