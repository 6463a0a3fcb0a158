import { ProviderError } from '../../port.ts';

/** What a failed call means: `retry` where it certainly changed nothing that counts. */
type TransportVerdict = 'retry' | 'unknown';

/** A code such as ENOSPC or a status of SFTP; the text of an error may name hosts, logins and paths. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code, level } = error as Error & { code?: unknown; level?: unknown };
  const parts = [level, code].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  );
  return parts.length > 0 ? parts.join(' ') : error.name;
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
