import { inflateSync } from 'node:zlib';

/** A picture: rows of pixels, each of red, green, blue and, where `channels` is 4, alpha. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly pixels: Buffer;
}

/** How many bytes a pixel has, by the colour type of the header: browsers write these two. */
const channelsOf: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

function paeth(left: number, up: number, corner: number): number {
  const near = left + up - corner;
  const [a, b, c] = [Math.abs(near - left), Math.abs(near - up), Math.abs(near - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Takes the filter of each row off (https://www.w3.org/TR/png-3/#9Filters). */
function unfiltered(raw: Buffer, stride: number, height: number, channels: number): Buffer {
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= channels ? (pixels[at - channels] ?? 0) : 0;
      const up = y > 0 ? (pixels[at - stride] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (pixels[at - stride - channels] ?? 0) : 0;
      const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
      pixels[at] = ((raw[y * (stride + 1) + 1 + x] ?? 0) + (guesses[filter ?? 0] ?? 0)) & 255;
    }
  }
  return pixels;
}

/** Reads a PNG as browsers write it: eight bits, not interlaced. */
export function readPng(bytes: Buffer): Picture {
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const channels = channelsOf[bytes[25] ?? 0];
  if (channels === undefined || bytes[24] !== 8 || bytes[28] !== 0) {
    throw new Error('This kind of PNG is not read here.');
  }
  const raw = inflateSync(Buffer.concat(data));
  return { width, height, channels, pixels: unfiltered(raw, width * channels, height, channels) };
}
