/**
 * The few pieces of DER (ITU-T X.690) that an X.509 certificate needs. A value is a tag, a length
 * and the content; certificates here are far below 64 KiB.
 */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

export const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents);
export const octetString = (...contents: readonly Uint8Array[]): Buffer => der(0x04, ...contents);
export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));

/** A BIT STRING; `unusedBits` of the last byte do not count. */
export const bitString = (content: Uint8Array, unusedBits = 0): Buffer =>
  der(0x03, Buffer.from([unusedBits]), content);

/** A context-specific constructed value, `[number]`. */
export const context = (number: number, ...contents: readonly Uint8Array[]): Buffer =>
  der(0xa0 | number, ...contents);

/** A context-specific primitive value, an IMPLICIT tag over a string. */
export const implicit = (number: number, content: Uint8Array): Buffer =>
  der(0x80 | number, content);

/** A non-negative INTEGER from big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const trimmed = first === -1 ? Uint8Array.of(0) : bytes.subarray(first);
  // The top bit is the sign, so a number that begins with it gets a zero in front.
  const sign = (trimmed[0] ?? 0) >= 0x80 ? [0] : [];
  return der(0x02, Buffer.from(sign), trimmed);
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** An OBJECT IDENTIFIER from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A Time: UTCTime until 2049, GeneralizedTime after (RFC 5280, section 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}
