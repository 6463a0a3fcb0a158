import { createHash } from 'node:crypto';
import type { FieldError } from '../../errors/domain-error.ts';
import { documentTypeOf, jpegFrame } from './document.ts';

/** It is in every mail of the business. */
const largestLogo = 128 * 1024;

/** A small file can unfold to gigabytes of pixels in the reader's browser. */
const longestSide = 2_048;

/** A checked logo. SVG is not taken: it can hold scripts, and few mail readers show it. */
export interface Logo {
  readonly bytes: Buffer;
  readonly type: 'image/png' | 'image/jpeg';
  /** The first 128 bits of its SHA-256 in hexadecimal, for its address. */
  readonly digest: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Width and height as the header tells them (PNG, section 11.2.1; ITU-T T.81, B.2.2). */
function sizeOf(bytes: Buffer, type: Logo['type']): { width: number; height: number } {
  if (type === 'image/png')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const frame = jpegFrame(bytes) ?? 0;
  if (frame + 9 > bytes.length) return { width: 0, height: 0 };
  return { width: bytes.readUInt16BE(frame + 7), height: bytes.readUInt16BE(frame + 5) };
}

const fault = (code: string, message: string): FieldError => ({ field: 'logo', code, message });

/** Judges a logo by its content: what is wrong (file_type_unsupported, file_too_large, invalid_value), or the logo. */
export function checkLogo(file: Uint8Array): Logo | FieldError {
  if (file.byteLength > largestLogo) {
    return fault('file_too_large', `The logo is larger than ${largestLogo / 1024} KiB.`);
  }
  const type = documentTypeOf(file);
  if (type === null || type === 'application/pdf') {
    return fault('file_type_unsupported', 'The logo must be a PNG or a JPEG.');
  }
  const bytes = Buffer.from(file);
  const { width, height } = sizeOf(bytes, type);
  if (width < 1 || height < 1 || width > longestSide || height > longestSide) {
    return fault('invalid_value', `The sides of the logo must have 1 to ${longestSide} pixels.`);
  }
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { bytes, type, digest, width, height };
}
