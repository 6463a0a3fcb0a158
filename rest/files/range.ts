/** A part of a file: from its first byte up to and without the last one. */
export interface ByteRange {
  readonly from: number;
  readonly until: number;
}

const form = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * Reads a `Range` header (RFC 9110, section 14.1.2). Null means the whole file: there is no header,
 * or one that a server may ignore, such as several ranges or another unit. `unsatisfiable` begins
 * behind the end of the file.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = form.exec((header ?? '').trim()) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { from: size - length, until: size };
  }
  const from = Number(first);
  const until = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < from) return null;
  return from >= size ? 'unsatisfiable' : { from, until };
}

/**
 * Whether an `If-None-Match` header names this version (RFC 9110, section 13.1.2), by the weak
 * comparison. Our tags hold no comma, so a list may be taken apart at its commas.
 */
export function namesVersion(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
