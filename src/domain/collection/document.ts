import type { FieldError } from '../../errors/domain-error.ts';

const mebibyte = 1024 * 1024;

export type DocumentType = 'application/pdf' | 'image/png' | 'image/jpeg';

/**
 * Readers take up to a kilobyte before the head: a line break, an editor's mark, the words of a
 * printer. An angle bracket is none of these, but may make the file a page to a browser.
 */
const pdfHead = /^[^<]{0,1016}%PDF-[12]\.\d/;
const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** An IEND chunk as it always is: no data, and the checksum of its name (PNG, section 11.2.5). */
const pngEnd = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
const jpegEnd = Buffer.from([0xff, 0xd9]);

/** A PDF has its version near the beginning and ends with a trailer (ISO 32000-2, section 7.5). */
function isPdf(bytes: Buffer): boolean {
  if (!pdfHead.test(bytes.subarray(0, 1_024).toString('latin1'))) return false;
  return bytes.subarray(-2_048).includes('%%EOF', 0, 'latin1');
}

/** A PNG has its signature, a header chunk first and an end chunk. */
function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(pngHead)) return false;
  return bytes.subarray(12, 16).toString('latin1') === 'IHDR' && bytes.includes(pngEnd, 33);
}

/** Start-of-frame markers: C0 to CF without those that have another meaning (ITU-T T.81, table B.1). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Where the first frame of a JPEG begins: its marker's place, by a walk over the segments; null in no JPEG. */
export function jpegFrame(bytes: Buffer): number | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return at;
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** A JPEG reaches a frame, and has an end of image somewhere after it. */
function isJpeg(bytes: Buffer): boolean {
  const frame = jpegFrame(bytes);
  return frame !== null && bytes.includes(jpegEnd, frame + 4);
}

/** What a file is by its content, whatever its name or its sender says; null for anything else. */
export function documentTypeOf(file: Uint8Array): DocumentType | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (isPdf(bytes)) return 'application/pdf';
  if (isPng(bytes)) return 'image/png';
  return isJpeg(bytes) ? 'image/jpeg' : null;
}

/** What is wrong with a file; null for one that is taken, of up to `megabytes` MiB. */
export function documentFault(
  file: Uint8Array | null | undefined,
  megabytes: number,
): Omit<FieldError, 'field'> | null {
  if (file === null || file === undefined || file.byteLength === 0) {
    return { code: 'required', message: 'A file is required.' };
  }
  if (file.byteLength > megabytes * mebibyte) {
    return { code: 'file_too_large', message: `The file is larger than ${megabytes} MiB.` };
  }
  if (documentTypeOf(file) !== null) return null;
  return { code: 'file_type_unsupported', message: 'The file must be a PDF, a PNG or a JPEG.' };
}
