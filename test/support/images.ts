import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A PNG of a width and a height (pixels) in which `colorAt` tells red, green and blue of a place. */
export function pngOf(
  width: number,
  height: number,
  colorAt: (x: number, y: number) => readonly [number, number, number] = () => [29, 78, 216],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_row, y) => [
    0,
    ...Array.from({ length: width }, (_cell, x) => colorAt(x, y)).flat(),
  ]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** What the service reads of a PNG: a header that tells these sides, and the end. */
export function pngHeader(width: number, height: number): Buffer {
  const png = pngOf(1, 1);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

/** The head of a JPEG that tells these sides, and the end. */
export function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), frame, Buffer.from([0xff, 0xd9])]);
}

/** A logo to look at: a white ring in a blue field beside a bar. */
export function sampleLogo(): Buffer {
  return pngOf(180, 60, (x, y) => {
    const distance = Math.hypot(x - 30, y - 30);
    if (distance < 28 && distance > 14) return [124, 58, 237];
    if (x > 70 && x < 170 && y > 16 && y < 26) return [49, 46, 129];
    if (x > 70 && x < 140 && y > 34 && y < 44) return [124, 58, 237];
    return [255, 255, 255];
  });
}
